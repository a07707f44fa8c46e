import { useTranslation } from 'react-i18next';
import type { AttemptState, NodeState, ServerState, TaskState } from '@/graphql/generated/enums';
import { Icon, type IconName } from './icon';
import classes from './state-badge.module.css';

/** Colour family of a state; always shown with an icon and a word as well. */
export type Tone = 'ok' | 'run' | 'wait' | 'retry' | 'fail' | 'stop';

export interface Look {
  tone: Tone;
  icon: IconName;
}

const task: Record<TaskState, Look> = {
  WAITING: { tone: 'wait', icon: 'waiting' },
  RUNNING: { tone: 'run', icon: 'running' },
  RETRYING: { tone: 'retry', icon: 'retrying' },
  SUCCEEDED: { tone: 'ok', icon: 'check' },
  FAILED: { tone: 'fail', icon: 'failed' },
  CANCELLED: { tone: 'stop', icon: 'cancelled' },
  SKIPPED: { tone: 'wait', icon: 'skipped' },
  DISCARDED: { tone: 'stop', icon: 'discarded' },
};

const attempt: Record<AttemptState, Look> = {
  PENDING: { tone: 'wait', icon: 'waiting' },
  DISPATCHED: { tone: 'run', icon: 'dispatched' },
  RUNNING: { tone: 'run', icon: 'running' },
  SUCCEEDED: { tone: 'ok', icon: 'check' },
  FAILED: { tone: 'fail', icon: 'failed' },
  TIMED_OUT: { tone: 'fail', icon: 'timedOut' },
  LOST: { tone: 'retry', icon: 'lost' },
  CANCELLED: { tone: 'stop', icon: 'cancelled' },
};

const node: Record<NodeState, Look> = {
  ONLINE: { tone: 'ok', icon: 'online' },
  SUSPECT: { tone: 'retry', icon: 'warning' },
  OFFLINE: { tone: 'fail', icon: 'lost' },
  DRAINING: { tone: 'stop', icon: 'draining' },
};

/** State of a server as the lists show it: one that lives may be in trouble. */
export type ServerLook = ServerState | 'DEGRADED';

const server: Record<ServerLook, Look> = {
  LIVE: { tone: 'ok', icon: 'online' },
  DEGRADED: { tone: 'retry', icon: 'warning' },
  STOPPING: { tone: 'stop', icon: 'draining' },
  LOST: { tone: 'fail', icon: 'lost' },
};

/** State of a job as the lists show it. */
export type JobState = 'ENABLED' | 'PAUSED' | 'INVALID' | 'DELETED';

const job: Record<JobState, Look> = {
  ENABLED: { tone: 'ok', icon: 'check' },
  PAUSED: { tone: 'wait', icon: 'pause' },
  INVALID: { tone: 'fail', icon: 'warning' },
  DELETED: { tone: 'stop', icon: 'trash' },
};

/** How a task's state looks, for charts and filters that draw it in their own way. */
export const taskLook = (state: TaskState): Look => task[state];

export function TaskStateBadge({ state }: { state: TaskState }) {
  const { t } = useTranslation('states');
  return <Badge look={task[state]} label={t(`task.${state}`)} />;
}

export function AttemptStateBadge({ state }: { state: AttemptState }) {
  const { t } = useTranslation('states');
  return <Badge look={attempt[state]} label={t(`attempt.${state}`)} />;
}

export function NodeStateBadge({ state }: { state: NodeState }) {
  const { t } = useTranslation('states');
  return <Badge look={node[state]} label={t(`node.${state}`)} />;
}

export function ServerStateBadge({ state }: { state: ServerLook }) {
  const { t } = useTranslation('states');
  return <Badge look={server[state]} label={t(`server.${state}`)} />;
}

export function JobStateBadge({ state }: { state: JobState }) {
  const { t } = useTranslation('states');
  return <Badge look={job[state]} label={t(`job.${state}`)} />;
}

/** A state that a feature words itself. */
export function Badge({ look, label }: { look: Look; label: string }) {
  return (
    <span className={classes.badge} data-tone={look.tone}>
      <Icon name={look.icon} size={14} />
      {label}
    </span>
  );
}
