import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '@/components/ui/data-table';
import { DurationText, ElapsedText } from '@/components/ui/duration-text';
import { Panel } from '@/components/ui/page';
import { Pager } from '@/components/ui/pager';
import { TaskStateBadge } from '@/components/ui/state-badge';
import { EmptyState, ErrorState } from '@/components/ui/states';
import type { TaskState } from '@/graphql/generated/enums';
import type { TaskShardsQuery as Shards } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useLive, useThrottled } from '@/live/hooks';
import { TaskShardChanged, TaskShardsQuery } from './queries';
import classes from './task.module.css';

type Shard = NonNullable<Shards['task']>['children']['nodes'][number];

/** The parts of a task, live: of a broadcast one for each node. */
export function ShardsPanel({ taskId, shards }: { taskId: string; shards: number }) {
  const { t } = useTranslation('task');
  const [after, setAfter] = useState<string | undefined>();
  const read = useRead({
    query: TaskShardsQuery,
    variables: { id: taskId, first: 100, after: after ?? null },
  });
  const page = read.data?.task?.children;
  const reread = useThrottled(read.refetch, 2_000);
  useLive({
    query: TaskShardChanged,
    variables: { task: taskId },
    onEvent: ({ taskChanged }) => {
      const listed = page?.nodes.some((shard) => shard.id === taskChanged.id) ?? false;
      if (!listed && !after) reread();
    },
  });
  const columns = useShardColumns();
  return (
    <Panel title={t('shards.title')} flush>
      {page && page.nodes.length > 0 ? (
        <p className={classes.summary} aria-live="polite">
          {t(page.nodes.length === shards ? 'shards.summary' : 'shards.shown', ends(page.nodes))}
        </p>
      ) : null}
      {read.error && !page ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : (
        <DataTable
          label={t('shards.title')}
          columns={columns}
          rows={page?.nodes}
          rowKey={(shard) => shard.id}
          rowHref={(shard) => `/tasks/${shard.id}`}
          refreshing={read.refreshing}
          skeletonRows={4}
          empty={
            <EmptyState icon="tasks" title={t('shards.none')}>
              {t('shards.noneText')}
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
    </Panel>
  );
}

/** How the parts stand. Pure. */
export function ends(parts: readonly { state: TaskState }[]) {
  const count = (...states: TaskState[]) =>
    parts.filter(({ state }) => states.includes(state)).length;
  return {
    total: parts.length,
    succeeded: count('SUCCEEDED'),
    failed: count('FAILED', 'DISCARDED'),
    live: count('WAITING', 'RUNNING', 'RETRYING'),
  };
}

function useShardColumns(): Column<Shard>[] {
  const { t } = useTranslation('task');
  return [
    {
      id: 'shard',
      header: t('shards.number'),
      title: true,
      width: '110px',
      cell: (shard) => (
        <Link to="/tasks/$taskId" params={{ taskId: shard.id }}>
          {(shard.shard ?? 0) + 1}
        </Link>
      ),
    },
    {
      id: 'state',
      header: t('shards.state'),
      width: '130px',
      cell: (shard) => <TaskStateBadge state={shard.state} />,
    },
    { id: 'node', header: t('shards.node'), cell: (shard) => shard.node?.name ?? null },
    {
      id: 'attempts',
      header: t('shards.attempts'),
      width: '100px',
      align: 'end',
      cell: (shard) => shard.attempt,
    },
    {
      id: 'duration',
      header: t('shards.duration'),
      width: '110px',
      align: 'end',
      cell: (shard) =>
        shard.state === 'RUNNING' && shard.startedAt ? (
          <ElapsedText since={shard.startedAt} />
        ) : (
          <DurationText value={shard.duration} />
        ),
    },
    {
      id: 'why',
      header: t('shards.why'),
      cell: (shard) => shard.error?.split('\n', 1)[0] ?? shard.reason,
    },
  ];
}
