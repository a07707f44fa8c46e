import { Button, Group, Modal, Textarea } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import classes from '@/components/ui/dialog.module.css';
import { fieldErrors } from '@/graphql/field-errors';
import type { AppRowFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { DeleteApp, UpdateApp } from './queries';

/** Edit and delete an app. */
export function AppActions({ app }: { app: AppRowFragment }) {
  const { t } = useTranslation('apps');
  const { t: tc } = useTranslation();
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  return (
    <>
      <ActionButton atLeast="ADMIN" icon="edit" onClick={() => setOpen('edit')}>
        {tc('actions.edit')}
      </ActionButton>
      <ActionButton
        atLeast="ADMIN"
        icon="trash"
        reason={app.jobCount > 0 ? t('hasJobs', { count: app.jobCount }) : null}
        onClick={() => setOpen('delete')}
      >
        {tc('actions.delete')}
      </ActionButton>
      <Modal
        opened={open === 'edit'}
        onClose={() => setOpen(null)}
        title={t('editTitle', { name: app.name })}
        closeButtonProps={{ 'aria-label': tc('actions.close') }}
      >
        <EditForm app={app} onClose={() => setOpen(null)} />
      </Modal>
      <Delete app={app} opened={open === 'delete'} onClose={() => setOpen(null)} />
    </>
  );
}

function EditForm({ app, onClose }: { app: AppRowFragment; onClose: () => void }) {
  const { t } = useTranslation('apps');
  const { t: tc } = useTranslation();
  const [description, setDescription] = useState(app.description);
  const action = useMutationAction(UpdateApp, {
    pick: (d) => d.updateApp,
    success: () => t('saved'),
    refusals: 'form',
  });
  const errors = fieldErrors(action.userErrors, ['input.description'] as const);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { payload } = await action.run({ input: { id: app.id, description } });
    if (payload) onClose();
  };
  return (
    <form className={classes.stack} onSubmit={(event) => void submit(event)}>
      <Textarea
        data-autofocus
        autosize
        minRows={2}
        label={t('description')}
        description={t('descriptionHint')}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        error={errors.at['input.description'] ?? errors.rest[0]}
      />
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onClose}>
          {tc('actions.cancel')}
        </Button>
        <Button type="submit" loading={action.busy}>
          {tc('actions.save')}
        </Button>
      </Group>
    </form>
  );
}

function Delete(props: { app: AppRowFragment; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('apps');
  const { t: tc } = useTranslation();
  const navigate = useNavigate();
  const action = useMutationAction(DeleteApp, {
    pick: (d) => d.deleteApp,
    success: () => t('deleted', { name: props.app.name }),
    refusals: 'form',
  });
  const run = async () => {
    const { payload } = await action.run({ id: props.app.id });
    if (payload) void navigate({ to: '/apps' });
  };
  return (
    <ConfirmDialog
      opened={props.opened}
      onClose={() => {
        action.clear();
        props.onClose();
      }}
      title={t('deleteTitle', { name: props.app.name })}
      confirm={tc('actions.delete')}
      danger
      typeToConfirm={{ label: t('typeName', { name: props.app.name }), text: props.app.name }}
      busy={action.busy}
      error={action.userErrors.map((e) => e.message).join(' ') || null}
      onConfirm={() => void run()}
    >
      {t('deleteText')}
    </ConfirmDialog>
  );
}
