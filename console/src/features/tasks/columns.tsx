import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ActionIconButton } from '@/components/ui/action-button';
import { CopyButton } from '@/components/ui/copy-button';
import type { Column } from '@/components/ui/data-table';
import { DurationText, ElapsedText } from '@/components/ui/duration-text';
import { TaskStateBadge } from '@/components/ui/state-badge';
import { TimeText } from '@/components/ui/time-text';
import type { TaskRowFragment } from '@/graphql/generated/graphql';
import type { Doing } from './deed-dialog';
import { can } from './deeds';
import classes from './tasks.module.css';

/** The columns of the tasks list. */
export function useTaskColumns(onDo: (doing: Doing) => void): Column<TaskRowFragment>[] {
  const { t } = useTranslation('tasks');
  return [
    {
      id: 'job',
      header: t('column.job'),
      title: true,
      width: '26%',
      cell: (task) => (
        <Link to="/tasks/$taskId" params={{ taskId: task.id }} className={classes.job}>
          {task.job.name}
        </Link>
      ),
    },
    {
      id: 'state',
      header: t('column.state'),
      width: '120px',
      cell: (task) => <TaskStateBadge state={task.state} />,
    },
    {
      id: 'scheduled',
      header: t('column.scheduled'),
      width: '150px',
      cell: (task) => <TimeText at={task.scheduledAt} jobZone={task.job.trigger.zone} />,
    },
    {
      id: 'duration',
      header: t('column.duration'),
      width: '100px',
      align: 'end',
      cell: (task) =>
        task.state === 'RUNNING' && task.startedAt ? (
          <ElapsedText since={task.startedAt} />
        ) : (
          <DurationText value={task.duration} />
        ),
    },
    {
      id: 'attempt',
      header: t('column.attempt'),
      width: '90px',
      align: 'end',
      cell: (task) => (task.attempt > 0 ? `${task.attempt} / ${task.maxAttempts}` : null),
    },
    {
      id: 'node',
      header: t('column.node'),
      width: '140px',
      cell: (task) => task.node?.name ?? null,
    },
    {
      id: 'error',
      header: t('column.why'),
      cell: (task) => (whyOf(task, '') === null ? null : <Why task={task} />),
    },
    {
      id: 'actions',
      header: t('column.actions'),
      width: '110px',
      align: 'end',
      bare: true,
      cell: (task) => <RowActions task={task} onDo={onDo} />,
    },
  ];
}

/** Why a task is as it is, on one line; null when nothing needs saying. */
function whyOf(task: TaskRowFragment, cancelling: string): string | null {
  if (task.cancelRequestedAt && task.state === 'RUNNING') return cancelling;
  if (task.state === 'SUCCEEDED') return null;
  return task.error ?? task.reason;
}

function Why({ task }: { task: TaskRowFragment }) {
  const { t } = useTranslation('tasks');
  const text = whyOf(task, t('beingCancelled')) ?? '';
  return (
    <span className={classes.why} title={text}>
      {text.split('\n', 1)[0]}
    </span>
  );
}

function RowActions({ task, onDo }: { task: TaskRowFragment; onDo: (doing: Doing) => void }) {
  const { t } = useTranslation('tasks');
  return (
    <span className={classes.actions}>
      {can('retry', task.state) ? (
        <ActionIconButton
          atLeast="OPERATOR"
          icon="retrying"
          label={t('deed.retry')}
          onClick={() => onDo({ deed: 'retry', tasks: [task] })}
        />
      ) : null}
      {can('cancel', task.state) && task.state !== 'FAILED' ? (
        <ActionIconButton
          atLeast="OPERATOR"
          icon="cancelled"
          label={t('deed.cancel')}
          onClick={() => onDo({ deed: 'cancel', tasks: [task] })}
        />
      ) : null}
      {can('discard', task.state) ? (
        <ActionIconButton
          atLeast="OPERATOR"
          icon="trash"
          label={t('deed.discard')}
          onClick={() => onDo({ deed: 'discard', tasks: [task] })}
        />
      ) : null}
      <CopyButton text={task.id} label={t('copyId')} />
    </span>
  );
}
