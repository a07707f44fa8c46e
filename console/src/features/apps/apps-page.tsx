import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { type Column, DataTable } from '@/components/ui/data-table';
import { Page, Panel } from '@/components/ui/page';
import { EmptyState, ErrorLine, ErrorState, SlowHint } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { AppsQuery as Data } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import classes from './apps.module.css';
import { CreateAppDialog } from './create-app-dialog';
import { KeyDialog, type NewKey } from './key-dialog';
import { AppsQuery, InstallationQuery } from './queries';

type Row = Data['apps'][number];

/** All apps with what hangs on them. */
export function AppsPage() {
  const { t } = useTranslation('apps');
  const navigate = useNavigate();
  const read = useRead({ query: AppsQuery, variables: {} });
  const installation = useRead({ query: InstallationQuery, variables: {} });
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<NewKey | null>(null);
  const rows = read.data?.apps;
  const columns = useColumns();
  const url = installation.data?.installation.publicUrl ?? window.location.origin;

  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <ActionButton atLeast="ADMIN" primary icon="plus" onClick={() => setCreating(true)}>
          {t('create')}
        </ActionButton>
      }
    >
      {read.error && rows ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      <Panel flush>
        {read.error && !rows ? (
          <ErrorState error={read.error} onRetry={read.refetch} />
        ) : (
          <DataTable
            label={t('title')}
            columns={columns}
            rows={rows}
            rowKey={(app) => app.id}
            rowHref={(app) => `/apps/${app.name}`}
            refreshing={read.refreshing}
            skeletonRows={3}
            empty={
              <EmptyState icon="apps" title={t('none.title')}>
                {t('none.text')}
              </EmptyState>
            }
          />
        )}
      </Panel>
      <SlowHint slow={read.slow} />
      <CreateAppDialog
        opened={creating}
        onClose={() => setCreating(false)}
        onMade={(app) => {
          setCreating(false);
          setMade({ ...app, url });
        }}
      />
      <KeyDialog
        made={made}
        onClose={() => {
          const name = made?.app;
          setMade(null);
          if (name) void navigate({ to: '/apps/$appName', params: { appName: name } });
        }}
      />
    </Page>
  );
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation('apps');
  return [
    {
      id: 'name',
      header: t('name'),
      title: true,
      cell: (app) => (
        <Link to="/apps/$appName" params={{ appName: app.name }}>
          {app.name}
        </Link>
      ),
    },
    {
      id: 'description',
      header: t('description'),
      cell: (app) => <span className={classes.clamp}>{app.description}</span>,
    },
    { id: 'jobs', header: t('jobs'), width: '90px', align: 'end', cell: (app) => app.jobCount },
    {
      id: 'nodes',
      header: t('online'),
      width: '120px',
      align: 'end',
      cell: (app) => app.onlineNodeCount,
    },
    {
      id: 'keys',
      header: t('activeKeys'),
      width: '110px',
      align: 'end',
      cell: (app) => app.keys.filter((key) => !key.revokedAt).length,
    },
    {
      id: 'created',
      header: t('created'),
      width: '140px',
      cell: (app) => <TimeText at={app.createdAt} />,
    },
  ];
}
