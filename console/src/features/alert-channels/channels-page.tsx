import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { type Column, DataTable } from '@/components/ui/data-table';
import { Page, Panel } from '@/components/ui/page';
import { EmptyState, ErrorLine, ErrorState, SlowHint } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import { AlertsTabs } from '@/features/alerts/alerts-tabs';
import type { ChannelRowFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { ChannelBadge } from './channel-badge';
import classes from './channels.module.css';
import { ChannelsQuery } from './queries';
import { TestButton } from './test-button';

/** Where alerts can be sent: robots of chats, webhooks, mail. */
export function ChannelsPage() {
  const { t } = useTranslation('channels');
  const navigate = useNavigate();
  const read = useRead({ query: ChannelsQuery, variables: {} });
  const rows = read.data?.alertChannels;
  const columns = useColumns();
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <ActionButton
          atLeast="ADMIN"
          primary
          icon="plus"
          onClick={() => void navigate({ to: '/alerts/channels/new' })}
        >
          {t('create')}
        </ActionButton>
      }
    >
      <AlertsTabs />
      {read.error && rows ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      <Panel flush>
        {read.error && !rows ? (
          <ErrorState error={read.error} onRetry={read.refetch} />
        ) : (
          <DataTable
            label={t('title')}
            columns={columns}
            rows={rows}
            rowKey={(channel) => channel.id}
            rowHref={(channel) => `/alerts/channels/${channel.id}`}
            refreshing={read.refreshing}
            skeletonRows={3}
            empty={
              <EmptyState icon="send" title={t('none.title')}>
                {t('none.text')}
              </EmptyState>
            }
          />
        )}
      </Panel>
      <SlowHint slow={read.slow} />
    </Page>
  );
}

function useColumns(): Column<ChannelRowFragment>[] {
  const { t, i18n } = useTranslation('channels');
  const { t: td } = useTranslation('deliveries');
  const number = new Intl.NumberFormat(i18n.language);
  return [
    {
      id: 'name',
      header: t('name'),
      title: true,
      cell: (channel) => (
        <Link
          to="/alerts/channels/$channelId"
          params={{ channelId: channel.id }}
          className={classes.name}
        >
          {channel.name}
        </Link>
      ),
    },
    { id: 'kind', header: t('kind'), width: '150px', cell: (c) => td(`kind.${c.kind}`) },
    {
      id: 'state',
      header: t('state'),
      width: '130px',
      cell: (channel) => <ChannelBadge channel={channel} />,
    },
    {
      id: 'queued',
      header: t('queued'),
      width: '90px',
      align: 'end',
      cell: (channel) => number.format(Number(channel.queued)),
    },
    {
      id: 'sent',
      header: t('lastSent'),
      width: '130px',
      cell: (channel) => <TimeText at={channel.lastSentAt} format="relative" empty={t('never')} />,
    },
    {
      id: 'error',
      header: t('lastError'),
      span: true,
      cell: (channel) => {
        const why = channel.disabledReason ?? channel.lastError;
        return why ? (
          <span className={classes.clamp} title={why}>
            {why}
          </span>
        ) : null;
      },
    },
    {
      id: 'test',
      header: t('test.button'),
      width: '130px',
      align: 'end',
      bare: true,
      cell: (channel) => <TestButton id={channel.id} small />,
    },
  ];
}
