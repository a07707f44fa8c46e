import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Role } from '@/graphql/generated/enums';
import { useCan, useViewer } from './context';

/** Shows its children only to those whose role includes the given one. */
export function RoleGuard({ atLeast, children }: { atLeast: Role; children: ReactNode }) {
  return useCan(atLeast) ? children : null;
}

/** Why the viewer may not do what needs this role; null when they may. */
export function useRoleReason(atLeast: Role): string | null {
  const { t } = useTranslation();
  const viewer = useViewer();
  const can = useCan(atLeast);
  if (can || !viewer) return null;
  return t('role.needs', { role: t(`role.${atLeast}`), own: t(`role.${viewer.role}`) });
}
