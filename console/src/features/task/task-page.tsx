import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '@/components/ui/copy-button';
import { JsonView } from '@/components/ui/json-view';
import { Page, Panel } from '@/components/ui/page';
import { TaskStateBadge } from '@/components/ui/state-badge';
import {
  EmptyState,
  ErrorLine,
  ErrorState,
  Notice,
  SkeletonLines,
  SlowHint,
} from '@/components/ui/states';
import type { TaskState } from '@/graphql/generated/enums';
import type { TaskDetailFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useLive } from '@/live/hooks';
import { AttemptsPicture } from './attempts-picture';
import { ChainPanel } from './chain-panel';
import { EventsPanel } from './events-panel';
import { FactsPanel } from './facts-panel';
import { LogPanel } from './log-panel';
import { TaskChanged, TaskQuery } from './queries';
import { ShardsPanel } from './shards-panel';
import classes from './task.module.css';
import { TaskActions } from './task-actions';

/** One task, live: its attempts to scale, what happened, its log. */
export function TaskPage({ id, line }: { id: string; line: string | null }) {
  const { t } = useTranslation('task');
  const { t: tw } = useTranslation('why');
  const read = useRead({ query: TaskQuery, variables: { id } });
  useLive({ query: TaskChanged, variables: { id } });
  const task = read.data?.task;
  const crumbs = <Link to="/tasks">{t('tasks')}</Link>;
  if (read.data && !task && !read.refreshing) {
    return (
      <Page title={id} crumbs={crumbs}>
        <EmptyState icon="tasks" title={t('missing.title')}>
          {t('missing.text')}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={task?.job.name ?? id}
      crumbs={crumbs}
      badge={task ? <TaskStateBadge state={task.state} /> : null}
      lead={
        <span className={classes.id}>
          <code>{id}</code>
          <CopyButton text={id} label={t('copyId')} />
          {task ? (
            <Link to="/jobs/$jobId" params={{ jobId: task.job.id }}>
              {t('toJob')}
            </Link>
          ) : null}
          {task && neverRan.includes(task.state) ? (
            <Link
              to="/jobs/$jobId"
              params={{ jobId: task.job.id }}
              search={{ why: task.scheduledAt }}
            >
              {tw('taskLink')}
            </Link>
          ) : null}
        </span>
      }
      actions={task ? <TaskActions task={task} /> : null}
    >
      {read.error && task ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {read.error && !task ? <ErrorState error={read.error} onRetry={read.refetch} /> : null}
      {task ? <Loaded task={task} line={line} /> : read.error ? null : <SkeletonLines lines={14} />}
      <SlowHint slow={read.slow} />
    </Page>
  );
}

/** States that make people ask why. */
const neverRan: readonly TaskState[] = ['SKIPPED', 'CANCELLED'];

const liveStates: readonly TaskState[] = ['WAITING', 'RUNNING', 'RETRYING'];

function Loaded({ task, line }: { task: TaskDetailFragment; line: string | null }) {
  const { t } = useTranslation('task');
  const nodeOf = (number: number) =>
    task.attempts.find((attempt) => attempt.number === number)?.nodeName ?? null;
  return (
    <>
      {task.cancelRequestedAt && task.state === 'RUNNING' ? (
        <Notice tone="retry">{t('beingCancelled')}</Notice>
      ) : null}
      {task.state === 'RUNNING' && task.progress !== null ? (
        <ProgressLine fraction={task.progress} message={task.progressMessage} />
      ) : null}
      <Panel title={t('attempts.title')}>
        <AttemptsPicture task={task} />
      </Panel>
      {task.error ? <ErrorPanel error={task.error} /> : null}
      {task.shards !== null && task.shard === null ? (
        <ShardsPanel taskId={task.id} shards={task.shards} />
      ) : null}
      <ChainPanel task={task} />
      <LogPanel
        taskId={task.id}
        live={liveStates.includes(task.state)}
        jobZone={task.job.trigger.zone}
        line={line}
        nodeOf={nodeOf}
      />
      <div className={classes.columns}>
        <Panel title={t('parameters')}>
          <JsonView value={task.parameters} label={t('parameters')} />
        </Panel>
        <Panel title={t('result')}>
          <JsonView value={task.result} label={t('result')} />
        </Panel>
      </div>
      <div className={classes.columns}>
        <FactsPanel task={task} />
        <EventsPanel task={task} />
      </div>
    </>
  );
}

function ProgressLine({ fraction, message }: { fraction: number; message: string | null }) {
  const { t } = useTranslation('task');
  const percent = Math.round(100 * fraction);
  return (
    <div className={classes.progress}>
      <progress className={classes.bar} max={100} value={percent} aria-label={t('progress')} />
      <span>
        {percent} %{message ? ` · ${message}` : ''}
      </span>
    </div>
  );
}

/** The error's first paragraph, and the rest (a stack) folded. */
function ErrorPanel({ error }: { error: string }) {
  const { t } = useTranslation('task');
  const split = error.indexOf('\n\n');
  const head = split < 0 ? error : error.slice(0, split);
  const rest = split < 0 ? '' : error.slice(split + 2);
  return (
    <Panel title={t('error')} actions={<CopyButton text={error} label={t('copyError')} />}>
      <p className={classes.error}>{head}</p>
      {rest ? (
        <details className={classes.more}>
          <summary>{t('stack')}</summary>
          <pre className={classes.stack}>{rest}</pre>
        </details>
      ) : null}
    </Panel>
  );
}
