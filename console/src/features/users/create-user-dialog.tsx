import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormBody, FormDialog } from '@/components/ui/form-dialog';
import { fieldErrors } from '@/graphql/field-errors';
import { useMutationAction } from '@/graphql/use-action';
import type { NewLink } from './link-dialog';
import { CreateUser } from './queries';
import { appRoles, noRoles } from './roles';
import { RolesFields } from './roles-fields';

const paths = ['input.name', 'input.role', 'input.apps'] as const;

interface CreateUserDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The account was made; its link is shown only now. */
  onMade: (made: NewLink) => void;
}

/** Makes an account with a one-time link. */
export function CreateUserDialog(props: CreateUserDialogProps) {
  const { t } = useTranslation('users');
  return (
    <FormDialog opened={props.opened} onClose={props.onClose} title={t('create')} size="lg">
      <CreateForm {...props} />
    </FormDialog>
  );
}

function CreateForm({ onClose, onMade }: CreateUserDialogProps) {
  const { t } = useTranslation('users');
  const [name, setName] = useState('');
  const [roles, setRoles] = useState(noRoles);
  const action = useMutationAction(CreateUser, { pick: (d) => d.createUser, refusals: 'form' });
  const errors = fieldErrors(action.userErrors, paths);

  const submit = async () => {
    const { payload } = await action.run({
      input: { name: name.trim(), role: roles.role, apps: appRoles(roles) },
    });
    if (payload?.user && payload.link) onMade({ user: payload.user.name, link: payload.link });
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
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={errors.at['input.name']}
      />
      <RolesFields
        value={roles}
        onChange={setRoles}
        errors={{ role: errors.at['input.role'], apps: errors.at['input.apps'] }}
      />
    </FormBody>
  );
}
