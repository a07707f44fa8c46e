import { oneOf, text } from '@/routes/search';

export const tokenStates = ['active', 'ended'] as const;
export const pageSize = 50;

/** What the address of the API tokens says. */
export interface TokensSearch {
  q?: string | undefined;
  state?: (typeof tokenStates)[number] | undefined;
  after?: string | undefined;
}

export function readTokensSearch(raw: Record<string, unknown>): TokensSearch {
  return {
    q: text(raw, 'q', 128),
    state: oneOf(raw, 'state', tokenStates),
    after: text(raw, 'after'),
  };
}

export function activeFilters(search: TokensSearch): number {
  return [search.q, search.state].filter(Boolean).length;
}
