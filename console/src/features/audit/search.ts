import type { AuditFilter } from '@/graphql/generated/graphql';
import { instant, oneOf, text } from '@/routes/search';

/** Kinds of objects of which the trail tells. */
export const auditKinds = [
  'job',
  'task',
  'app',
  'group',
  'node',
  'calendar',
  'alert_rule',
  'incident',
  'silence',
  'channel',
  'notification',
  'report',
  'bulk',
  'user',
  'token',
  'audit',
] as const;
export type AuditKind = (typeof auditKinds)[number];
export const pageSize = 50;

/** What the address of the audit trail says. */
export interface AuditSearch {
  q?: string | undefined;
  actor?: string | undefined;
  kind?: AuditKind | undefined;
  object?: string | undefined;
  action?: string | undefined;
  app?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  after?: string | undefined;
}

export function readAuditSearch(raw: Record<string, unknown>): AuditSearch {
  return {
    q: text(raw, 'q', 200),
    actor: text(raw, 'actor', 255),
    kind: oneOf(raw, 'kind', auditKinds),
    object: text(raw, 'object', 64),
    action: text(raw, 'action', 64),
    app: text(raw, 'app', 64),
    from: instant(raw, 'from'),
    to: instant(raw, 'to'),
    after: text(raw, 'after'),
  };
}

export const noFilters = {
  q: undefined,
  actor: undefined,
  kind: undefined,
  object: undefined,
  action: undefined,
  app: undefined,
  from: undefined,
  to: undefined,
};

/** The server's filter for an address; undefined parts do not filter. */
export function auditFilter({ q, after: _, ...rest }: AuditSearch): AuditFilter {
  const given = Object.entries({ ...rest, search: q }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

export function activeFilters({ after: _, ...filters }: AuditSearch): number {
  return Object.values(filters).filter(Boolean).length;
}

/** Where the rows of an address are downloaded as a file. */
export function exportHref({ after: _, ...filters }: AuditSearch, format: 'csv' | 'jsonl'): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
  return `/download/audit?${query}`;
}
