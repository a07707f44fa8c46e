import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Fact, Facts } from '@/components/ui/facts';
import { JsonView } from '@/components/ui/json-view';
import { Page, Panel } from '@/components/ui/page';
import {
  EmptyState,
  ErrorLine,
  ErrorState,
  Notice,
  SkeletonLines,
  SlowHint,
} from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { ChannelDetailFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useRead } from '@/graphql/use-read';
import { useCan } from '@/session/context';
import { ChannelBadge } from './channel-badge';
import { ChannelEditor } from './channel-editor';
import { ChannelQuery, DeleteChannel, DisableChannel, EnableChannel } from './queries';
import { TestButton, TestResult, useTestAnswer } from './test-button';

/** One channel: whether it works, its settings, and what it says. */
export function ChannelPage({ id }: { id: string }) {
  const { t } = useTranslation('channels');
  const { t: td } = useTranslation('deliveries');
  const read = useRead({ query: ChannelQuery, variables: { id } });
  const channel = read.data?.alertChannel;
  const [answer, setAnswer] = useTestAnswer();
  const missing = read.data !== undefined && !channel && !read.refreshing && !read.error;
  return (
    <Page
      title={channel?.name ?? t('one')}
      crumbs={<Link to="/alerts/channels">{t('title')}</Link>}
      lead={channel ? td(`kind.${channel.kind}`) : null}
      badge={channel ? <ChannelBadge channel={channel} /> : null}
      actions={
        channel ? (
          <>
            <TestButton id={channel.id} onAnswer={setAnswer} />
            <ChannelActions channel={channel} />
          </>
        ) : null
      }
    >
      {read.error && channel ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {read.error && !channel ? <ErrorState error={read.error} onRetry={read.refetch} /> : null}
      {missing ? (
        <EmptyState icon="send" title={t('missing.title')}>
          {t('missing.text')}
        </EmptyState>
      ) : null}
      {channel ? (
        <>
          <TestResult answer={answer} />
          <Loaded channel={channel} />
        </>
      ) : read.error || missing ? null : (
        <Panel>
          <SkeletonLines lines={10} />
        </Panel>
      )}
      <SlowHint slow={read.slow} />
    </Page>
  );
}

function Loaded({ channel }: { channel: ChannelDetailFragment }) {
  const { t, i18n } = useTranslation('channels');
  const admin = useCan('ADMIN');
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <>
      {channel.disabledReason && !channel.enabled ? (
        <Notice tone="fail">{t('disabledText', { reason: channel.disabledReason })}</Notice>
      ) : null}
      <Panel
        title={t('now')}
        actions={
          <Link to="/alerts/deliveries" search={{ channel: channel.id }}>
            {t('toDeliveries')}
          </Link>
        }
      >
        <Facts>
          <Fact label={t('queued')}>{number.format(Number(channel.queued))}</Fact>
          <Fact label={t('lastSent')}>
            <TimeText at={channel.lastSentAt} format="both" empty={t('never')} />
          </Fact>
          <Fact label={t('created')}>
            <TimeText at={channel.createdAt} />
          </Fact>
          {channel.lastError ? (
            <Fact wide label={t('lastError')}>
              {channel.lastError}
            </Fact>
          ) : null}
        </Facts>
      </Panel>
      {admin ? (
        <ChannelEditor channel={channel} />
      ) : (
        <Panel title={t('settings')}>
          <JsonView value={channel.settings} label={t('settings')} />
        </Panel>
      )}
    </>
  );
}

function ChannelActions({ channel }: { channel: ChannelDetailFragment }) {
  const { t } = useTranslation('channels');
  const { t: tc } = useTranslation();
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState(false);
  const enable = useMutationAction(EnableChannel, { pick: (data) => data.enableAlertChannel });
  const disable = useMutationAction(DisableChannel, { pick: (data) => data.disableAlertChannel });
  const remove = useMutationAction(DeleteChannel, {
    pick: (data) => data.deleteAlertChannel,
    success: () => t('deleted', { name: channel.name }),
    refusals: 'form',
  });
  const toggle = channel.enabled ? disable : enable;
  const confirm = async () => {
    const { payload } = await remove.run({ id: channel.id });
    if (payload) void navigate({ to: '/alerts/channels' });
  };
  return (
    <>
      <ActionButton
        atLeast="ADMIN"
        icon={channel.enabled ? 'pause' : 'play'}
        busy={toggle.busy}
        onClick={() => void toggle.run({ id: channel.id })}
      >
        {t(channel.enabled ? 'disable' : 'enable')}
      </ActionButton>
      <ActionButton atLeast="ADMIN" icon="trash" onClick={() => setDeleting(true)}>
        {tc('actions.delete')}
      </ActionButton>
      <ConfirmDialog
        opened={deleting}
        onClose={() => {
          remove.clear();
          setDeleting(false);
        }}
        title={t('deleteTitle', { name: channel.name })}
        confirm={tc('actions.delete')}
        danger
        busy={remove.busy}
        error={remove.userErrors.map((e) => e.message).join(' ') || null}
        onConfirm={() => void confirm()}
      >
        <p>{t('deleteText')}</p>
      </ConfirmDialog>
    </>
  );
}
