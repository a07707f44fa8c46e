import { oneOf, text } from '@/routes/search';

export const userStates = ['active', 'disabled'] as const;
export const pageSize = 50;

/** What the address of the accounts says. */
export interface UsersSearch {
  q?: string | undefined;
  state?: (typeof userStates)[number] | undefined;
  after?: string | undefined;
}

export function readUsersSearch(raw: Record<string, unknown>): UsersSearch {
  return {
    q: text(raw, 'q', 64),
    state: oneOf(raw, 'state', userStates),
    after: text(raw, 'after'),
  };
}

export function activeFilters(search: UsersSearch): number {
  return [search.q, search.state].filter(Boolean).length;
}
