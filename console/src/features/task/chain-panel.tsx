import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '@/components/ui/page';
import { TaskStateBadge } from '@/components/ui/state-badge';
import { ErrorLine } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import { FollowJob } from '@/features/job/follow-job';
import { graphql } from '@/graphql/generated';
import type { ChainTaskFragment, TaskDetailFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useThrottled } from '@/live/hooks';
import classes from './task.module.css';

export const ChainTask = graphql(`
  fragment ChainTask on Task {
    id
    state
    scheduledAt
    job {
      id
      name
      trigger {
        zone
      }
    }
  }
`);

export const TaskChainQuery = graphql(`
  query TaskChain($id: ID!) {
    task(id: $id) {
      id
      upstream {
        ...ChainTask
      }
      downstream(first: 20) {
        ...ChainTask
      }
      job {
        id
        downstream(first: 20) {
          id
        }
      }
    }
  }
`);

const mostShown = 20;

/** The tasks whose ends made this one, and those that its end made. Not shown for a task that stands alone. */
export function ChainPanel({ task }: { task: TaskDetailFragment }) {
  const { t } = useTranslation('task');
  const read = useRead({ query: TaskChainQuery, variables: { id: task.id } });
  const chain = read.data?.task;
  const reread = useThrottled(read.refetch, 1_000);
  const again = useEffectEvent(reread);
  // Its end is what makes downstream tasks.
  const { finishedAt } = task;
  useEffect(() => {
    if (finishedAt) again();
  }, [finishedAt]);
  if (read.error && !chain) return <ErrorLine error={read.error} onRetry={read.refetch} />;
  const followed = chain?.job.downstream ?? [];
  const alone = !chain || (chain.upstream.length === 0 && chain.downstream.length === 0);
  return (
    <>
      {followed.map(({ id }) => (
        <FollowJob key={id} id={id} onTask={reread} />
      ))}
      {alone ? null : (
        <Panel title={t('chain.title')}>
          <div className={classes.columns}>
            <Side title={t('chain.upstream')} tasks={chain.upstream} />
            <Side title={t('chain.downstream')} tasks={chain.downstream} />
          </div>
        </Panel>
      )}
    </>
  );
}

function Side({ title, tasks }: { title: string; tasks: readonly ChainTaskFragment[] }) {
  const { t } = useTranslation('task');
  if (tasks.length === 0) return null;
  return (
    <div className={classes.chain}>
      <h3>{title}</h3>
      <ul aria-label={title}>
        {tasks.map((each) => (
          <li key={each.id}>
            <Link to="/tasks/$taskId" params={{ taskId: each.id }}>
              {each.job.name}
            </Link>
            <TaskStateBadge state={each.state} />
            <span className={classes.quiet}>
              <TimeText at={each.scheduledAt} jobZone={each.job.trigger.zone} />
            </span>
          </li>
        ))}
      </ul>
      {tasks.length === mostShown ? (
        <p className={classes.quiet}>{t('chain.more', { count: mostShown })}</p>
      ) : null}
    </div>
  );
}
