import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '@/components/ui/data-table';
import { Page, Panel } from '@/components/ui/page';
import { Pager } from '@/components/ui/pager';
import { EmptyState, ErrorLine, ErrorState, SlowHint } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { BulkRowFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useEvery, useLive } from '@/live/hooks';
import own from './bulk.module.css';
import { BulkBadge } from './bulk-badge';
import { deedOf } from './bulk-deed';
import { ProgressBar } from './progress';
import { BulkOperationChanged, BulkOperationsQuery } from './queries';
import type { BulksSearch } from './search';
import { StopButton } from './stop-button';
import { rereadEvery } from './use-bulk';

const pageSize = 50;
/** So many of those under way are followed by events; the others wait for the next reading. */
const followed = 10;

interface BulksPageProps {
  search: BulksSearch;
  onSearch: (change: BulksSearch) => void;
}

/** All bulk operations, newest first; those under way live. */
export function BulksPage({ search, onSearch }: BulksPageProps) {
  const { t } = useTranslation('bulk');
  const read = useRead({
    query: BulkOperationsQuery,
    variables: { first: pageSize, after: search.after ?? null },
  });
  const page = read.data?.bulkOperations;
  const running = page?.nodes.filter(({ state }) => state === 'RUNNING') ?? [];
  // Nothing tells of new ones: the list is read again more seldom while none is under way.
  useEvery(running.length > 0 ? rereadEvery : 6 * rereadEvery, read.refetch);
  const columns = useColumns();
  return (
    <Page title={t('title')} lead={t('lead')} crumbs={<Link to="/tasks">{t('tasks')}</Link>}>
      {read.error && page ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      <Panel flush>
        {read.error && !page ? (
          <ErrorState error={read.error} onRetry={read.refetch} />
        ) : (
          <DataTable
            label={t('title')}
            columns={columns}
            rows={page?.nodes}
            rowKey={(bulk) => bulk.id}
            rowHref={(bulk) => `/bulk/${bulk.id}`}
            refreshing={read.refreshing}
            empty={
              <EmptyState icon="tasks" title={t('none.title')}>
                {t('none.text')}
              </EmptyState>
            }
          />
        )}
        <Pager
          page={{ after: search.after }}
          info={page?.pageInfo}
          shown={page?.nodes.length ?? 0}
          total={null}
          onPage={({ after }) => onSearch({ after })}
        />
      </Panel>
      <SlowHint slow={read.slow} />
      {running.slice(0, followed).map(({ id }) => (
        <Follow key={id} id={id} />
      ))}
    </Page>
  );
}

// Draws nothing: the cache brings the rows up to date.
function Follow({ id }: { id: string }) {
  useLive({ query: BulkOperationChanged, variables: { id } });
  return null;
}

function useColumns(): Column<BulkRowFragment>[] {
  const { t, i18n } = useTranslation('bulk');
  const number = new Intl.NumberFormat(i18n.language);
  return [
    {
      id: 'what',
      header: t('column.what'),
      title: true,
      width: '24%',
      cell: (bulk) => (
        <Link to="/bulk/$bulkId" params={{ bulkId: bulk.id }} className={own.what}>
          {t(`what.${deedOf(bulk)}`, {
            count: Number(bulk.total),
            shown: number.format(Number(bulk.total)),
          })}
        </Link>
      ),
    },
    {
      id: 'state',
      header: t('column.state'),
      width: '116px',
      cell: (bulk) => <BulkBadge state={bulk.state} />,
    },
    {
      id: 'progress',
      header: t('column.progress'),
      width: '170px',
      cell: (bulk) => <ProgressBar bulk={bulk} label={t('column.progress')} />,
    },
    {
      id: 'counts',
      header: t('column.counts'),
      width: '150px',
      align: 'end',
      cell: (bulk) =>
        [bulk.done, bulk.refused, bulk.total].map((n) => number.format(Number(n))).join(' / '),
    },
    { id: 'by', header: t('column.by'), width: '120px', cell: (bulk) => bulk.createdBy },
    {
      id: 'when',
      header: t('column.when'),
      width: '150px',
      cell: (bulk) => <TimeText at={bulk.createdAt} />,
    },
    {
      id: 'why',
      header: t('column.why'),
      cell: (bulk) =>
        bulk.reason ? (
          <span className={own.why} title={bulk.reason}>
            {bulk.reason}
          </span>
        ) : null,
    },
    {
      id: 'actions',
      header: t('column.actions'),
      width: '50px',
      align: 'end',
      bare: true,
      cell: (bulk) => <StopButton bulk={bulk} small />,
    },
  ];
}
