/** A Relay page. */
export interface Page<T> {
  edges: { cursor: string; node: T }[];
  nodes: T[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
  totalCount: number | null;
}

interface PageArgs {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** Cuts a page out of a list; cursors are the positions in it. */
export function pageOf<T>(all: readonly T[], args: PageArgs): Page<T> {
  let start = args.after ? Number(args.after) + 1 : 0;
  let end = args.before ? Number(args.before) : all.length;
  if (args.last) start = Math.max(start, end - args.last);
  else end = Math.min(end, start + (args.first ?? 20));
  const nodes = all.slice(start, end);
  return {
    edges: nodes.map((node, i) => ({ cursor: String(start + i), node })),
    nodes,
    pageInfo: {
      hasNextPage: end < all.length,
      hasPreviousPage: start > 0,
      startCursor: nodes.length > 0 ? String(start) : null,
      endCursor: nodes.length > 0 ? String(end - 1) : null,
    },
    totalCount: all.length,
  };
}

/** The first page of a search that looked at enough before it found anything. */
export function stoppedPage(searchedTo: string) {
  return { ...pageOf([], {}), totalCount: null, searchedTo, pageInfo: beforeAll };
}

const beforeAll = { hasNextPage: true, hasPreviousPage: false, startCursor: null, endCursor: '-1' };
