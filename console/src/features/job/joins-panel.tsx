import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '@/components/ui/data-table';
import { Panel } from '@/components/ui/page';
import { TaskStateBadge } from '@/components/ui/state-badge';
import { EmptyState, ErrorLine, ErrorState } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { JobDetailFragment, JobJoinsQuery as Joins } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useThrottled } from '@/live/hooks';
import classes from './deps.module.css';
import { FollowJob } from './follow-job';
import { JobJoinsQuery } from './joins-queries';

type Join = NonNullable<Joins['job']>['joins'][number];

/** How many upstream jobs are followed live; further ones are seen when the page is read again. */
const mostFollowed = 20;

/** The windows of a dependency job, newest first: what arrived, what is missing, what they fired. */
export function JoinsPanel({ job }: { job: JobDetailFragment }) {
  const { t } = useTranslation('job');
  const read = useRead({ query: JobJoinsQuery, variables: { id: job.id } });
  const joins = read.data?.job?.joins;
  const reread = useThrottled(read.refetch, 2_000);
  const columns = useColumns(job.trigger.zone, job.trigger.window === 'RUN');
  const followed = [job, ...(job.trigger.upstream ?? []).map((up) => up.job)];
  return (
    <Panel title={t('joins.title')} flush>
      {followed.slice(0, mostFollowed).map(({ id }) => (
        <FollowJob key={id} id={id} onTask={reread} />
      ))}
      {read.error && joins ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {read.error && !joins ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : (
        <DataTable
          label={t('joins.title')}
          columns={columns}
          rows={joins}
          rowKey={(join) => join.window}
          refreshing={read.refreshing}
          skeletonRows={3}
          empty={
            <EmptyState icon="waiting" title={t('joins.none')}>
              {t('joins.noneText')}
            </EmptyState>
          }
        />
      )}
    </Panel>
  );
}

function useColumns(zone: string | null, byRun: boolean): Column<Join>[] {
  const { t } = useTranslation('job');
  return [
    {
      id: 'window',
      header: t('joins.window'),
      title: true,
      width: '140px',
      cell: (join) => (
        <span className={classes.window}>
          {byRun ? (
            // The window of a run is named by the run's first task.
            <Link to="/tasks/$taskId" params={{ taskId: join.window }} title={join.window}>
              {t('joins.runOf', { id: `…${join.window.slice(-6)}` })}
            </Link>
          ) : (
            <strong>{join.window}</strong>
          )}
          <span className={classes.quiet}>
            {t('joins.opened')} <TimeText at={join.openedAt} jobZone={zone} />
          </span>
        </span>
      ),
    },
    {
      id: 'arrived',
      header: t('joins.arrived'),
      cell: (join) => <Arrived join={join} zone={zone} />,
    },
    {
      id: 'missing',
      header: t('joins.missing'),
      width: '150px',
      cell: (join) => <Missing join={join} />,
    },
    {
      id: 'fired',
      header: t('joins.fired'),
      width: '150px',
      cell: (join) => <Fired join={join} zone={zone} />,
    },
  ];
}

function Arrived({ join, zone }: { join: Join; zone: string | null }) {
  const { t } = useTranslation('job');
  if (join.arrived.length === 0) {
    return <span className={classes.quiet}>{t('joins.nothingArrived')}</span>;
  }
  return (
    <ul className={classes.list}>
      {join.arrived.map(({ job, task, at, condition }) => (
        <li key={`${job.id} ${at}`}>
          {task ? (
            <Link to="/tasks/$taskId" params={{ taskId: task.id }}>
              {job.name}
            </Link>
          ) : (
            <span>{job.name}</span>
          )}
          {task ? <TaskStateBadge state={task.state} /> : null}
          <span className={classes.quiet}>
            <TimeText at={at} jobZone={zone} /> ({t(`deps.on.${condition}`)})
          </span>
        </li>
      ))}
    </ul>
  );
}

function Missing({ join }: { join: Join }) {
  const { t } = useTranslation('job');
  if (join.missing.length === 0) {
    return <span className={classes.quiet}>{t('joins.nothingMissing')}</span>;
  }
  return (
    <ul className={classes.list}>
      {join.missing.map((job) => (
        <li key={job.id}>
          <Link to="/jobs/$jobId" params={{ jobId: job.id }}>
            {job.name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Why a window can close without a task. */
const reasons = ['PAUSED', 'INVALID_TRIGGER'] as const;

function Fired({ join, zone }: { join: Join; zone: string | null }) {
  const { t } = useTranslation('job');
  if (join.task) {
    return (
      <ul className={classes.list}>
        <li>
          <Link to="/tasks/$taskId" params={{ taskId: join.task.id }}>
            {join.firedAt ? <TimeText at={join.firedAt} jobZone={zone} /> : t('joins.task')}
          </Link>
          <TaskStateBadge state={join.task.state} />
        </li>
      </ul>
    );
  }
  if (join.firedAt) return <TimeText at={join.firedAt} jobZone={zone} />;
  const known = reasons.find((each) => each === join.reason);
  const closed = known ? t(`joins.why.${known}`) : join.reason;
  return <span className={classes.quiet}>{closed ?? t('joins.open')}</span>;
}
