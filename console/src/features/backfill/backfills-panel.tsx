import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '@/components/ui/data-table';
import { Panel } from '@/components/ui/page';
import { Pager } from '@/components/ui/pager';
import { ErrorLine, ErrorState } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { BackfillRowFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useLive } from '@/live/hooks';
import { BackfillBadge } from './backfill-badge';
import { ProgressBar } from './progress';
import { BackfillChanged, JobBackfillsQuery } from './queries';

const pageSize = 5;

/** A job's backfills, newest first, the running ones live. Not shown while there are none. */
export function BackfillsPanel({ jobId, zone }: { jobId: string; zone: string | null }) {
  const { t } = useTranslation('backfill');
  const [after, setAfter] = useState<string | undefined>();
  const read = useRead({
    query: JobBackfillsQuery,
    variables: { job: jobId, first: pageSize, after: after ?? null },
  });
  const page = read.data?.backfills;
  const columns = useColumns(zone);
  if (!page && !read.error) return null;
  if (page?.nodes.length === 0 && !after) return null;
  return (
    <Panel title={t('title')} flush>
      {read.error && page ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {read.error && !page ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : (
        <DataTable
          label={t('title')}
          columns={columns}
          rows={page?.nodes}
          rowKey={(backfill) => backfill.id}
          rowHref={(backfill) => `/backfills/${backfill.id}`}
          refreshing={read.refreshing}
          empty={null}
        />
      )}
      <Pager
        page={{ after }}
        info={page?.pageInfo}
        shown={page?.nodes.length ?? 0}
        total={null}
        onPage={(key) => setAfter(key.after)}
      />
      {page?.nodes
        .filter((backfill) => backfill.state === 'RUNNING')
        .map((backfill) => (
          <Follow key={backfill.id} id={backfill.id} />
        ))}
    </Panel>
  );
}

// At most a page of them: each running one has a subscription of its own, and the cache does the rest.
function Follow({ id }: { id: string }) {
  useLive({ query: BackfillChanged, variables: { id } });
  return null;
}

function useColumns(zone: string | null): Column<BackfillRowFragment>[] {
  const { t, i18n } = useTranslation('backfill');
  const number = new Intl.NumberFormat(i18n.language);
  return [
    {
      id: 'range',
      header: t('column.range'),
      title: true,
      cell: (backfill) => (
        <Link to="/backfills/$backfillId" params={{ backfillId: backfill.id }}>
          <TimeText at={backfill.from} jobZone={zone} />
          {' – '}
          <TimeText at={backfill.to} jobZone={zone} />
        </Link>
      ),
    },
    {
      id: 'state',
      header: t('column.state'),
      width: '116px',
      cell: (backfill) => <BackfillBadge state={backfill.state} />,
    },
    {
      id: 'progress',
      header: t('column.progress'),
      width: '190px',
      cell: (backfill) => <ProgressBar backfill={backfill} label={t('column.progress')} />,
    },
    {
      id: 'total',
      header: t('column.total'),
      align: 'end',
      width: '80px',
      cell: (backfill) => number.format(Number(backfill.total)),
    },
    {
      id: 'failed',
      header: t('part.failed'),
      align: 'end',
      width: '80px',
      cell: (backfill) => number.format(Number(backfill.failed)),
    },
    {
      id: 'created',
      header: t('column.started'),
      width: '150px',
      cell: (backfill) => <TimeText at={backfill.createdAt} jobZone={zone} />,
    },
  ];
}
