import type { IncidentState } from '@/graphql/generated/enums';

/** What is done to several incidents at once, or from a row. */
export const deeds = ['acknowledge', 'resolve'] as const;
export type Deed = (typeof deeds)[number];

/** Whether an incident in this state can be acknowledged or resolved. */
export function can(deed: Deed, state: IncidentState): boolean {
  return deed === 'acknowledge' ? state === 'OPEN' : state !== 'RESOLVED';
}
