import { MultiSelect, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { FormBody, FormDialog } from '@/components/ui/form-dialog';
import { RoleAppsQuery } from '@/features/users/queries';
import { fieldErrors } from '@/graphql/field-errors';
import { type Role, roleValues, type TokenScope } from '@/graphql/generated/enums';
import { useMutationAction } from '@/graphql/use-action';
import { CreateToken } from './queries';
import { ScopesFields } from './scopes-fields';
import type { NewToken } from './token-dialog';

const paths = ['input.name', 'input.role', 'input.apps', 'input.expires'] as const;
const lives = ['24h', '720h', '2160h', '8760h', 'never'] as const;
type Life = (typeof lives)[number];

interface CreateTokenDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The token was made; it is shown only now. */
  onMade: (made: NewToken) => void;
}

/** Makes an API token. */
export function CreateTokenDialog(props: CreateTokenDialogProps) {
  const { t } = useTranslation('tokens');
  return (
    <FormDialog opened={props.opened} onClose={props.onClose} title={t('create')} size="lg">
      <CreateForm {...props} />
    </FormDialog>
  );
}

const nothing = {
  name: '',
  role: 'VIEWER' as Role,
  apps: [] as string[],
  life: '2160h' as Life,
  scopes: [] as TokenScope[],
};

function CreateForm({ onClose, onMade }: CreateTokenDialogProps) {
  const { t } = useTranslation('tokens');
  const [form, setForm] = useState(nothing);
  const action = useMutationAction(CreateToken, {
    pick: (d) => d.createApiToken,
    refusals: 'form',
  });
  const errors = fieldErrors(action.userErrors, paths);
  const set = (change: Partial<typeof nothing>) => setForm((old) => ({ ...old, ...change }));

  const submit = async () => {
    const { name, role, apps, life, scopes } = form;
    const { payload } = await action.run({
      input: {
        name: name.trim(),
        role,
        apps,
        scopes,
        ...(life === 'never' ? {} : { expires: life }),
      },
    });
    if (payload?.apiToken && payload.token) {
      onMade({ name: payload.apiToken.name, token: payload.token });
    }
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
        value={form.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={errors.at['input.name']}
      />
      <RightsFields form={form} set={set} errors={errors.at} />
      <ScopesFields value={form.scopes} onChange={(scopes) => set({ scopes })} />
    </FormBody>
  );
}

interface RightsFieldsProps {
  form: typeof nothing;
  set: (change: Partial<typeof nothing>) => void;
  errors: Partial<Record<(typeof paths)[number], string>>;
}

function RightsFields({ form, set, errors }: RightsFieldsProps) {
  const { t } = useTranslation('tokens');
  const { t: tc } = useTranslation();
  const [apps] = useQuery({ query: RoleAppsQuery });
  return (
    <>
      <Select
        label={t('role')}
        description={t('roleHint')}
        value={form.role}
        data={roleValues.map((role) => ({ value: role, label: tc(`role.${role}`) }))}
        allowDeselect={false}
        onChange={(chosen) => {
          const role = roleValues.find((each) => each === chosen);
          if (role) set({ role });
        }}
        error={errors['input.role']}
      />
      <MultiSelect
        searchable
        clearable
        label={t('apps')}
        description={t('appsHint')}
        placeholder={form.apps.length > 0 ? undefined : t('allApps')}
        value={form.apps}
        data={(apps.data?.apps ?? []).map((app) => ({ value: app.id, label: app.name }))}
        onChange={(chosen) => set({ apps: chosen })}
        error={errors['input.apps']}
      />
      <Select
        label={t('expires')}
        description={t('expiresHint')}
        value={form.life}
        data={lives.map((value) => ({ value, label: t(`life.${value}`) }))}
        allowDeselect={false}
        onChange={(chosen) => {
          const life = lives.find((each) => each === chosen);
          if (life) set({ life });
        }}
        error={errors['input.expires']}
      />
    </>
  );
}
