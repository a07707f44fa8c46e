import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormBody, FormDialog } from '@/components/ui/form-dialog';
import { fieldErrors } from '@/graphql/field-errors';
import { useMutationAction } from '@/graphql/use-action';
import { CreateApp } from './queries';

const paths = ['input.name', 'input.description'] as const;

interface CreateAppDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The app was made; its key is shown only now. */
  onMade: (made: { app: string; group: string; key: string }) => void;
}

/** Makes an app with its first key. */
export function CreateAppDialog(props: CreateAppDialogProps) {
  const { t } = useTranslation('apps');
  return (
    <FormDialog opened={props.opened} onClose={props.onClose} title={t('create')}>
      <CreateForm {...props} />
    </FormDialog>
  );
}

function CreateForm({ onClose, onMade }: CreateAppDialogProps) {
  const { t } = useTranslation('apps');
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const action = useMutationAction(CreateApp, { pick: (d) => d.createApp, refusals: 'form' });
  const errors = fieldErrors(action.userErrors, paths);

  const submit = async () => {
    const { payload } = await action.run({ input: { name: name.trim(), description } });
    if (!payload?.app || !payload.key) return;
    onMade({
      app: payload.app.name,
      group: payload.app.nodeGroups[0]?.name ?? 'default',
      key: payload.key,
    });
  };

  return (
    <FormBody
      problems={errors.rest}
      busy={action.busy}
      submit={t('createSubmit')}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      <TextInput
        data-autofocus
        required
        label={t('name')}
        description={t('nameHint')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={errors.at['input.name']}
      />
      <TextInput
        label={t('description')}
        description={t('descriptionHint')}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        error={errors.at['input.description']}
      />
    </FormBody>
  );
}
