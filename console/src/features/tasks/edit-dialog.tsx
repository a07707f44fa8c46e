import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormBody, FormDialog } from '@/components/ui/form-dialog';
import { JsonField, parseJson } from '@/components/ui/json-field';
import { EmptyState, ErrorState, SkeletonLines } from '@/components/ui/states';
import { fieldErrors } from '@/graphql/field-errors';
import { useMutationAction } from '@/graphql/use-action';
import { useRead } from '@/graphql/use-read';
import type { Target } from './deed-dialog';
import { RetryTask, TaskParametersQuery } from './queries';

interface EditDialogProps {
  /** The task to run again; null while the dialog is closed. */
  task: Target | null;
  onClose: () => void;
}

/** Runs one task again with other parameters. */
export function EditDialog({ task, onClose }: EditDialogProps) {
  const { t } = useTranslation('tasks');
  return (
    <FormDialog opened={task !== null} onClose={onClose} size="lg" title={t('deed.edit')}>
      {!task ? null : task.parameters === undefined ? (
        <Loaded id={task.id} onClose={onClose} />
      ) : (
        <EditForm id={task.id} parameters={task.parameters} onClose={onClose} />
      )}
    </FormDialog>
  );
}

function Loaded({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('task');
  const read = useRead({ query: TaskParametersQuery, variables: { id } });
  if (read.error) return <ErrorState error={read.error} onRetry={read.refetch} />;
  if (!read.data || read.refreshing) return <SkeletonLines lines={6} />;
  if (!read.data.task) return <EmptyState icon="tasks" title={t('missing.title')} />;
  return <EditForm id={id} parameters={read.data.task.parameters} onClose={onClose} />;
}

interface EditFormProps {
  id: string;
  parameters: unknown;
  onClose: () => void;
}

function EditForm({ id, parameters, onClose }: EditFormProps) {
  const { t } = useTranslation('task');
  const { t: tasks } = useTranslation('tasks');
  const [text, setText] = useState(() =>
    parameters == null ? '' : JSON.stringify(parameters, null, 2),
  );
  const action = useMutationAction(RetryTask, {
    pick: (d) => d.retryTask,
    success: ({ task }) =>
      task && task.id !== id
        ? { text: tasks('did.anew'), link: { text: tasks('openNew'), to: `/tasks/${task.id}` } }
        : tasks('did.retry'),
    refusals: 'form',
  });
  const errors = fieldErrors(action.userErrors, ['parameters'] as const);
  const submit = async () => {
    const parsed = parseJson(text);
    if (!parsed.ok) return;
    const { payload } = await action.run({ id, parameters: parsed.value ?? null });
    if (payload) onClose();
  };
  return (
    <FormBody
      problems={errors.rest}
      busy={action.busy}
      submit={tasks('deed.retry')}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      <JsonField
        label={t('parameters')}
        value={text}
        onChange={setText}
        error={errors.at.parameters}
      />
    </FormBody>
  );
}
