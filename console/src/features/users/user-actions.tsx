import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { FormBody, FormDialog } from '@/components/ui/form-dialog';
import { fieldErrors } from '@/graphql/field-errors';
import type { UserRowFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import type { NewLink } from './link-dialog';
import { ResetUserPassword, UpdateUser } from './queries';
import { appRoles, rolesForm } from './roles';
import { RolesFields } from './roles-fields';

interface UserActionsProps {
  user: UserRowFragment;
  /** A one-time link was made; it is shown only now. */
  onLink: (made: NewLink) => void;
}

/** Change roles, reset the password, disable and enable an account. */
export function UserActions({ user, onLink }: UserActionsProps) {
  const { t } = useTranslation('users');
  const [open, setOpen] = useState<'roles' | 'reset' | 'disable' | null>(null);
  const close = () => setOpen(null);
  const enable = useMutationAction(UpdateUser, {
    pick: (d) => d.updateUser,
    success: () => t('enabled', { name: user.name }),
  });
  return (
    <>
      <ActionButton atLeast="ADMIN" icon="edit" onClick={() => setOpen('roles')}>
        {t('editRoles')}
      </ActionButton>
      <ActionButton atLeast="ADMIN" icon="key" onClick={() => setOpen('reset')}>
        {t('reset')}
      </ActionButton>
      {user.disabledAt ? (
        <ActionButton
          atLeast="ADMIN"
          icon="check"
          busy={enable.busy}
          onClick={() => void enable.run({ input: { id: user.id, disabled: false } })}
        >
          {t('enable')}
        </ActionButton>
      ) : (
        <ActionButton atLeast="ADMIN" icon="cancelled" onClick={() => setOpen('disable')}>
          {t('disable')}
        </ActionButton>
      )}
      <FormDialog
        opened={open === 'roles'}
        onClose={close}
        title={t('rolesTitle', { name: user.name })}
        size="lg"
      >
        <RolesEditor user={user} onClose={close} />
      </FormDialog>
      <Reset user={user} opened={open === 'reset'} onClose={close} onLink={onLink} />
      <Disable user={user} opened={open === 'disable'} onClose={close} />
    </>
  );
}

function RolesEditor({ user, onClose }: { user: UserRowFragment; onClose: () => void }) {
  const { t } = useTranslation('users');
  const [roles, setRoles] = useState(() => rolesForm(user));
  const action = useMutationAction(UpdateUser, {
    pick: (d) => d.updateUser,
    success: () => t('rolesSaved'),
    refusals: 'form',
  });
  const errors = fieldErrors(action.userErrors, ['input.role', 'input.apps'] as const);
  const submit = async () => {
    const { payload } = await action.run({
      input: { id: user.id, role: roles.role, apps: appRoles(roles) },
    });
    if (payload) onClose();
  };
  return (
    <FormBody
      problems={errors.rest}
      busy={action.busy}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      <RolesFields
        value={roles}
        onChange={setRoles}
        errors={{ role: errors.at['input.role'], apps: errors.at['input.apps'] }}
      />
    </FormBody>
  );
}

interface DeedProps {
  user: UserRowFragment;
  opened: boolean;
  onClose: () => void;
}

function Reset({ user, opened, onClose, onLink }: DeedProps & Pick<UserActionsProps, 'onLink'>) {
  const { t } = useTranslation('users');
  const action = useMutationAction(ResetUserPassword, {
    pick: (d) => d.resetUserPassword,
    refusals: 'form',
  });
  const run = async () => {
    const { payload } = await action.run({ id: user.id });
    if (!payload?.link) return;
    onClose();
    onLink({ user: user.name, link: payload.link });
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={() => {
        action.clear();
        onClose();
      }}
      title={t('resetTitle', { name: user.name })}
      confirm={t('reset')}
      danger
      busy={action.busy}
      error={action.userErrors.map((e) => e.message).join(' ') || null}
      onConfirm={() => void run()}
    >
      {t('resetText')}
    </ConfirmDialog>
  );
}

function Disable({ user, opened, onClose }: DeedProps) {
  const { t } = useTranslation('users');
  const action = useMutationAction(UpdateUser, {
    pick: (d) => d.updateUser,
    success: () => t('disabled', { name: user.name }),
    refusals: 'form',
  });
  const close = () => {
    action.clear();
    onClose();
  };
  const run = async () => {
    const { payload } = await action.run({ input: { id: user.id, disabled: true } });
    if (payload) close();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={t('disableTitle', { name: user.name })}
      confirm={t('disable')}
      danger
      busy={action.busy}
      error={action.userErrors.map((e) => e.message).join(' ') || null}
      onConfirm={() => void run()}
    >
      {t('disableText')}
    </ConfirmDialog>
  );
}
