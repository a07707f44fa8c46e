import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '@/components/ui/data-table';
import { MoreRows, useFirstRows } from '@/components/ui/more-rows';
import { Panel } from '@/components/ui/page';
import { TaskStateBadge } from '@/components/ui/state-badge';
import { ErrorLine } from '@/components/ui/states';
import { useRead } from '@/graphql/use-read';
import own from './bulk.module.css';
import { BulkOperationQuery } from './queries';
import type { Refusal } from './use-bulk';

/** How many refusals are read at once with the page. */
export const firstRefusals = 50;
/** How many the server keeps. */
const kept = 1_000;

interface RefusalsPanelProps {
  id: string;
  /** The first of them. */
  refusals: readonly Refusal[];
  /** How many there are in all. */
  count: number;
}

/** The tasks that an operation left as they are, and why. Not shown while there are none. */
export function RefusalsPanel({ id, refusals, count }: RefusalsPanelProps) {
  const { t, i18n } = useTranslation('bulk');
  const [all, setAll] = useState(false);
  const read = useRead({
    query: BulkOperationQuery,
    variables: { id, refusals: kept },
    skip: !all,
  });
  const rows = read.data?.bulkOperation?.refusals ?? refusals;
  const { shown, ...more } = useFirstRows(rows, 100);
  const columns = useColumns();
  const number = new Intl.NumberFormat(i18n.language);
  if (count === 0) return null;
  return (
    <Panel title={t('refused', { count, shown: number.format(count) })} flush>
      {read.error ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      <DataTable
        label={t('refusedTable')}
        columns={columns}
        rows={shown?.length === 0 ? undefined : shown}
        rowKey={(refusal) => refusal.taskId}
        rowHref={(refusal) => `/tasks/${refusal.taskId}`}
        refreshing={read.refreshing}
        skeletonRows={Math.min(count, 8)}
        empty={null}
      />
      <MoreRows {...more} />
      {!all && count > rows.length && rows.length > 0 ? (
        <div className={own.more}>
          <span>{t('firstRefused', { shown: number.format(rows.length) })}</span>
          <Button variant="default" onClick={() => setAll(true)}>
            {t('moreRefused')}
          </Button>
        </div>
      ) : null}
      {count > kept ? <p className={own.more}>{t('keptRefused')}</p> : null}
    </Panel>
  );
}

function useColumns(): Column<Refusal>[] {
  const { t } = useTranslation('bulk');
  return [
    {
      id: 'task',
      header: t('column.task'),
      title: true,
      width: '30%',
      cell: ({ task, taskId }) =>
        task ? (
          <Link to="/tasks/$taskId" params={{ taskId }} className={own.what} title={taskId}>
            {task.job.name}
          </Link>
        ) : (
          <code>{taskId}</code>
        ),
    },
    {
      id: 'state',
      header: t('column.stateNow'),
      width: '130px',
      cell: ({ task }) => (task ? <TaskStateBadge state={task.state} /> : t('gone')),
    },
    { id: 'why', header: t('column.refusedWhy'), cell: ({ message }) => message },
  ];
}
