import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { DeedDialog, type Doing } from '@/features/tasks/deed-dialog';
import { can } from '@/features/tasks/deeds';
import type { TaskDetailFragment } from '@/graphql/generated/graphql';
import { RescheduleDialog } from './reschedule-dialog';

/** What can be done with the task in its present state. */
export function TaskActions({ task }: { task: TaskDetailFragment }) {
  const { t } = useTranslation('tasks');
  const { t: own } = useTranslation('task');
  const [doing, setDoing] = useState<Doing | null>(null);
  const [moving, setMoving] = useState(false);
  const waits = task.state === 'WAITING' || task.state === 'RETRYING';
  const ask = (deed: Doing['deed']) => setDoing({ deed, tasks: [task] });
  return (
    <>
      {can('retry', task.state) ? (
        <>
          <ActionButton atLeast="OPERATOR" icon="retrying" onClick={() => ask('retry')}>
            {t('deed.retry')}
          </ActionButton>
          <ActionButton atLeast="OPERATOR" icon="edit" onClick={() => ask('edit')}>
            {t('deed.edit')}
          </ActionButton>
        </>
      ) : null}
      {can('discard', task.state) ? (
        <ActionButton atLeast="OPERATOR" icon="trash" onClick={() => ask('discard')}>
          {t('deed.discard')}
        </ActionButton>
      ) : null}
      {waits ? (
        <ActionButton atLeast="OPERATOR" icon="clock" onClick={() => setMoving(true)}>
          {own('reschedule.action')}
        </ActionButton>
      ) : null}
      {can('cancel', task.state) ? (
        <ActionButton
          atLeast="OPERATOR"
          icon="cancelled"
          reason={task.cancelRequestedAt && task.state === 'RUNNING' ? own('beingCancelled') : null}
          onClick={() => ask('cancel')}
        >
          {t('deed.cancel')}
        </ActionButton>
      ) : null}
      <DeedDialog doing={doing} onClose={() => setDoing(null)} />
      <RescheduleDialog task={task} opened={moving} onClose={() => setMoving(false)} />
    </>
  );
}
