import { ActionIcon, Button, Select, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { Icon } from '@/components/ui/icon';
import { roleValues } from '@/graphql/generated/enums';
import { RoleAppsQuery } from './queries';
import { type RoleRow, type RolesForm, withRow } from './roles';
import classes from './users.module.css';

interface RolesFieldsProps {
  value: RolesForm;
  onChange: (value: RolesForm) => void;
  errors: { role?: string | undefined; apps?: string | undefined };
}

/** A role in all apps, and roles in single ones. */
export function RolesFields({ value, onChange, errors }: RolesFieldsProps) {
  const { t } = useTranslation('users');
  const { t: tc } = useTranslation();
  const roles = roleValues.map((role) => ({ value: role, label: tc(`role.${role}`) }));
  return (
    <>
      <Select
        label={t('roleInAll')}
        description={t('roleInAllHint')}
        value={value.role ?? 'NONE'}
        data={[{ value: 'NONE', label: tc('role.NONE') }, ...roles]}
        allowDeselect={false}
        onChange={(chosen) =>
          onChange({ ...value, role: roleValues.find((role) => role === chosen) ?? null })
        }
        error={errors.role}
      />
      <fieldset className={classes.fields}>
        <legend className={classes.label}>{t('rolesInApps')}</legend>
        <p className={classes.hint}>{t('rolesInAppsHint')}</p>
        <div className={classes.roleRows}>
          {value.rows.map((row, i) => (
            <AppRoleRow
              key={row.key}
              row={row}
              number={i + 1}
              roles={roles}
              taken={value.rows.filter((each) => each !== row).map((each) => each.app)}
              error={i === value.rows.length - 1 ? errors.apps : undefined}
              onChange={(change) =>
                onChange({
                  ...value,
                  rows: value.rows.map((each) => (each === row ? { ...each, ...change } : each)),
                })
              }
              onRemove={() =>
                onChange({ ...value, rows: value.rows.filter((each) => each !== row) })
              }
            />
          ))}
          <div>
            <Button
              variant="default"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => onChange(withRow(value))}
            >
              {t('addApp')}
            </Button>
          </div>
        </div>
      </fieldset>
    </>
  );
}

interface AppRoleRowProps {
  row: RoleRow;
  /** Counted from 1, to tell the rows' fields apart. */
  number: number;
  roles: { value: string; label: string }[];
  taken: (string | null)[];
  error: string | undefined;
  onChange: (change: Partial<RoleRow>) => void;
  onRemove: () => void;
}

function AppRoleRow({ row, number, roles, taken, error, onChange, onRemove }: AppRoleRowProps) {
  const { t } = useTranslation('users');
  const [apps] = useQuery({ query: RoleAppsQuery });
  const free = (apps.data?.apps ?? []).filter((app) => !taken.includes(app.id));
  return (
    <div className={classes.roleRow}>
      <Select
        searchable
        aria-label={t('appNumber', { number })}
        placeholder={t('app')}
        value={row.app}
        data={free.map((app) => ({ value: app.id, label: app.name }))}
        allowDeselect={false}
        nothingFoundMessage={t('noApp')}
        onChange={(app) => onChange({ app })}
        error={error}
      />
      <Select
        aria-label={t('roleNumber', { number })}
        value={row.role}
        data={roles}
        allowDeselect={false}
        onChange={(chosen) => {
          const role = roleValues.find((each) => each === chosen);
          if (role) onChange({ role });
        }}
      />
      <Tooltip label={t('removeApp')}>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('removeAppNumber', { number })}
          onClick={onRemove}
        >
          <Icon name="close" size={14} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
