import { Button, Group, Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import classes from '@/components/ui/dialog.module.css';
import { JsonField, parseJson } from '@/components/ui/json-field';
import { Notice } from '@/components/ui/states';
import { DeedDialog, type Doing } from '@/features/tasks/deed-dialog';
import { can } from '@/features/tasks/deeds';
import { RetryTask } from '@/features/tasks/queries';
import { fieldErrors } from '@/graphql/field-errors';
import type { TaskDetailFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { RescheduleDialog } from './reschedule-dialog';

/** What can be done with the task in its present state. */
export function TaskActions({ task }: { task: TaskDetailFragment }) {
  const { t } = useTranslation('tasks');
  const { t: own } = useTranslation('task');
  const [doing, setDoing] = useState<Doing | null>(null);
  const [editing, setEditing] = useState(false);
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
          <ActionButton atLeast="OPERATOR" icon="edit" onClick={() => setEditing(true)}>
            {own('editRetry')}
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
      <RetryDialog task={task} opened={editing} onClose={() => setEditing(false)} />
    </>
  );
}

interface RetryDialogProps {
  task: TaskDetailFragment;
  opened: boolean;
  onClose: () => void;
}

/** Runs the task again with other parameters. */
function RetryDialog(props: RetryDialogProps) {
  const { t } = useTranslation('task');
  const { t: tc } = useTranslation();
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      size="lg"
      title={t('editRetry')}
      closeButtonProps={{ 'aria-label': tc('actions.close') }}
    >
      <RetryForm {...props} />
    </Modal>
  );
}

function RetryForm({ task, onClose }: RetryDialogProps) {
  const { t } = useTranslation('task');
  const { t: tasks } = useTranslation('tasks');
  const { t: tc } = useTranslation();
  const navigate = useNavigate();
  const [text, setText] = useState(() =>
    task.parameters == null ? '' : JSON.stringify(task.parameters, null, 2),
  );
  const action = useMutationAction(RetryTask, {
    pick: (d) => d.retryTask,
    success: () => tasks('did.retry', { count: 1 }),
    refusals: 'form',
  });
  const errors = fieldErrors(action.userErrors, ['parameters'] as const);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const parsed = parseJson(text);
    if (!parsed.ok) return;
    const { payload } = await action.run({ id: task.id, parameters: parsed.value ?? null });
    if (!payload?.task) return;
    onClose();
    if (payload.task.id !== task.id) {
      void navigate({ to: '/tasks/$taskId', params: { taskId: payload.task.id } });
    }
  };
  return (
    <form className={classes.stack} onSubmit={(event) => void submit(event)}>
      {errors.rest.map((message) => (
        <Notice key={message} tone="fail">
          {message}
        </Notice>
      ))}
      <JsonField
        label={t('parameters')}
        value={text}
        onChange={setText}
        error={errors.at.parameters}
      />
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onClose}>
          {tc('actions.cancel')}
        </Button>
        <Button type="submit" loading={action.busy}>
          {tasks('deed.retry')}
        </Button>
      </Group>
    </form>
  );
}
