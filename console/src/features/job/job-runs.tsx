import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '@/components/ui/copy-button';
import { type Column, DataTable } from '@/components/ui/data-table';
import { DurationText, ElapsedText } from '@/components/ui/duration-text';
import { Panel } from '@/components/ui/page';
import { TaskStateBadge } from '@/components/ui/state-badge';
import { EmptyState, ErrorState } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { RunRowFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useLive, useThrottled } from '@/live/hooks';
import classes from './job.module.css';
import { JobRunChanged, JobRunsQuery } from './queries';
import { WhyLink } from './why-link';

/** The job's last runs, live. */
export function JobRuns({ jobId, zone }: { jobId: string; zone: string | null }) {
  const { t } = useTranslation('job');
  const read = useRead({ query: JobRunsQuery, variables: { id: jobId } });
  const rows = read.data?.job?.recentTasks;
  const reread = useThrottled(read.refetch, 1_000);
  useLive({
    query: JobRunChanged,
    variables: { job: jobId },
    onEvent: ({ taskChanged }) => {
      if (!rows?.some((run) => run.id === taskChanged.id)) reread();
    },
  });
  const columns = useRunColumns(jobId, zone);
  return (
    <Panel
      title={t('runs.title')}
      flush
      actions={
        <Link to="/tasks" search={{ job: jobId }}>
          {t('runs.all')}
        </Link>
      }
    >
      {read.error && !rows ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : (
        <DataTable
          label={t('runs.title')}
          columns={columns}
          rows={rows}
          rowKey={(run) => run.id}
          rowHref={(run) => `/tasks/${run.id}`}
          skeletonRows={5}
          empty={
            <EmptyState icon="tasks" title={t('runs.none')}>
              {t('runs.noneText')}
            </EmptyState>
          }
        />
      )}
    </Panel>
  );
}

function useRunColumns(jobId: string, zone: string | null): Column<RunRowFragment>[] {
  const { t } = useTranslation('job');
  const { t: ts } = useTranslation('states');
  return [
    {
      id: 'scheduled',
      header: t('runs.scheduled'),
      title: true,
      width: '150px',
      cell: (run) => (
        <>
          <Link to="/tasks/$taskId" params={{ taskId: run.id }}>
            <TimeText at={run.scheduledAt} jobZone={zone} />
          </Link>
          <span className={classes.cause}>{ts(`trigger.${run.trigger}`)}</span>
        </>
      ),
    },
    {
      id: 'state',
      header: t('runs.state'),
      width: '116px',
      cell: (run) => <TaskStateBadge state={run.state} />,
    },
    {
      id: 'duration',
      header: t('runs.duration'),
      align: 'end',
      cell: (run) =>
        run.state === 'RUNNING' && run.startedAt ? (
          <ElapsedText since={run.startedAt} />
        ) : (
          <DurationText value={run.duration} />
        ),
    },
    {
      id: 'attempt',
      header: t('runs.attempt'),
      align: 'end',
      cell: (run) =>
        run.attempt > 0 ? `${run.attempt} / ${run.maxAttempts}` : t('runs.noAttempt'),
    },
    {
      id: 'node',
      header: t('runs.node'),
      cell: (run) => (
        <span className={classes.node} title={run.node?.name}>
          {run.node?.name ?? t('runs.noNode')}
        </span>
      ),
    },
    {
      id: 'error',
      header: t('runs.error'),
      cell: (run) =>
        run.error || run.reason ? (
          <span className={classes.error} title={run.error ?? undefined}>
            {run.error ?? run.reason}
          </span>
        ) : null,
    },
    {
      id: 'id',
      header: t('runs.copyId'),
      bare: true,
      width: '70px',
      align: 'end',
      cell: (run) => (
        <span className={classes.rowLinks}>
          <WhyLink jobId={jobId} at={run.scheduledAt} zone={zone} small />
          <CopyButton text={run.id} label={t('runs.copyId')} />
        </span>
      ),
    },
  ];
}
