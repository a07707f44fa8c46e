import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '@/components/ui/dialog.module.css';
import { Notice } from '@/components/ui/states';
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
  const { t: tc } = useTranslation();
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={t('create')}
      closeButtonProps={{ 'aria-label': tc('actions.close') }}
    >
      <CreateForm {...props} />
    </Modal>
  );
}

function CreateForm({ onClose, onMade }: CreateAppDialogProps) {
  const { t } = useTranslation('apps');
  const { t: tc } = useTranslation();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const action = useMutationAction(CreateApp, { pick: (d) => d.createApp, refusals: 'form' });
  const errors = fieldErrors(action.userErrors, paths);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { payload } = await action.run({ input: { name: name.trim(), description } });
    if (!payload?.app || !payload.key) return;
    onMade({
      app: payload.app.name,
      group: payload.app.nodeGroups[0]?.name ?? 'default',
      key: payload.key,
    });
  };

  return (
    <form className={classes.stack} onSubmit={(event) => void submit(event)}>
      {errors.rest.map((message) => (
        <Notice key={message} tone="fail">
          {message}
        </Notice>
      ))}
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
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onClose}>
          {tc('actions.cancel')}
        </Button>
        <Button type="submit" loading={action.busy}>
          {t('createSubmit')}
        </Button>
      </Group>
    </form>
  );
}
