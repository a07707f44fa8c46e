import { useTranslation } from 'react-i18next';
import type { Role } from '@/graphql/generated/enums';
import type { AppRoleFieldsFragment } from '@/graphql/generated/graphql';
import classes from './users.module.css';

interface RolesTextProps {
  role: Role | null | undefined;
  apps: readonly AppRoleFieldsFragment[];
  /** So many apps are named, the others counted. */
  most?: number;
}

/** What somebody may do, in all apps and in single ones, in a line or two. */
export function RolesText({ role, apps, most = 3 }: RolesTextProps) {
  const { t } = useTranslation('users');
  const { t: tc } = useTranslation();
  const rest = apps.length - most;
  return (
    <span className={classes.roles}>
      {role ? <span>{t('roleEverywhere', { role: tc(`role.${role}`) })}</span> : null}
      {apps.slice(0, most).map((each, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: apps that were deleted have no id, and the list is not edited here
        <span key={i}>
          {t('roleInApp', {
            role: tc(`role.${each.role}`),
            app: each.app?.name ?? t('deletedApp'),
          })}
        </span>
      ))}
      {rest > 0 ? <span>{t('moreApps', { count: rest })}</span> : null}
      {!role && apps.length === 0 ? <span>{t('noRole')}</span> : null}
    </span>
  );
}
