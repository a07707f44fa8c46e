import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '@/components/ui/data-table';
import { Panel } from '@/components/ui/page';
import { Pager } from '@/components/ui/pager';
import { EmptyState, ErrorLine, ErrorState } from '@/components/ui/states';
import { useTaskColumns } from '@/features/tasks/columns';
import { DeedDialog, type Doing } from '@/features/tasks/deed-dialog';
import { TaskListChanged } from '@/features/tasks/queries';
import type { BackfillRowFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useLive, useThrottled } from '@/live/hooks';
import { BackfillTasksQuery } from './queries';

const pageSize = 50;

/** The tasks that a backfill has made, live. */
export function BackfillTasks({ backfill }: { backfill: BackfillRowFragment }) {
  const { t } = useTranslation('backfill');
  const [after, setAfter] = useState<string | undefined>();
  const [doing, setDoing] = useState<Doing | null>(null);
  const read = useRead({
    query: BackfillTasksQuery,
    variables: { id: backfill.id, first: pageSize, after: after ?? null },
  });
  const page = read.data?.backfill?.tasks;
  const reread = useThrottled(read.refetch, 2_000);
  useLive({
    query: TaskListChanged,
    variables: { filter: { backfill: backfill.id } },
    onEvent: ({ taskChanged }) => {
      if (!after && !page?.nodes.some((task) => task.id === taskChanged.id)) reread();
    },
  });
  const columns = useTaskColumns(setDoing).filter((column) => column.id !== 'job');
  const [state, scheduled, ...rest] = columns;
  if (!state || !scheduled) return null;
  const first = {
    ...scheduled,
    title: true,
    cell: (task: Parameters<typeof scheduled.cell>[0]) => (
      <Link to="/tasks/$taskId" params={{ taskId: task.id }}>
        {scheduled.cell(task)}
      </Link>
    ),
  };
  return (
    <Panel
      title={t('tasks.title')}
      flush
      actions={
        <Link to="/tasks" search={{ backfill: backfill.id }}>
          {t('tasks.all')}
        </Link>
      }
    >
      {read.error && page ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {read.error && !page ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : (
        <DataTable
          label={t('tasks.title')}
          columns={[first, state, ...rest]}
          rows={page?.nodes}
          rowKey={(task) => task.id}
          rowHref={(task) => `/tasks/${task.id}`}
          refreshing={read.refreshing}
          empty={
            <EmptyState icon="tasks" title={t('tasks.none')}>
              {t('tasks.noneText')}
            </EmptyState>
          }
        />
      )}
      <Pager
        page={{ after }}
        info={page?.pageInfo}
        shown={page?.nodes.length ?? 0}
        total={null}
        onPage={(key) => setAfter(key.after)}
      />
      <DeedDialog doing={doing} onClose={() => setDoing(null)} />
    </Panel>
  );
}
