import type { Role } from '@/graphql/generated/enums';
import type { AppRoleFieldsFragment, AppRoleInput } from '@/graphql/generated/graphql';

/** A role in one app as the form holds it; the app is null until it is chosen. */
export interface RoleRow {
  key: number;
  app: string | null;
  role: Role;
}

/** What the form of roles holds. */
export interface RolesForm {
  role: Role | null;
  rows: RoleRow[];
}

export const noRoles: RolesForm = { role: 'VIEWER', rows: [] };

/** The form of somebody's present roles. Apps that were deleted are left out: saving drops them. */
export function rolesForm(held: {
  role?: Role | null;
  apps: readonly AppRoleFieldsFragment[];
}): RolesForm {
  const rows = held.apps.flatMap(({ app, role }, key) => (app ? [{ key, app: app.id, role }] : []));
  return { role: held.role ?? null, rows };
}

/** The roles in single apps that the server gets: rows without an app are not sent. */
export function appRoles(form: RolesForm): AppRoleInput[] {
  return form.rows.flatMap(({ app, role }) => (app ? [{ app, role }] : []));
}

/** A form with one more row. */
export function withRow(form: RolesForm): RolesForm {
  const key = Math.max(-1, ...form.rows.map((row) => row.key)) + 1;
  return { ...form, rows: [...form.rows, { key, app: null, role: 'VIEWER' }] };
}
