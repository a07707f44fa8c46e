import type { TokenScope } from '@/graphql/generated/enums';

export interface AreaScopes {
  area: 'JOBS' | 'TASKS' | 'LOGS' | 'ALERTS' | 'NODES' | 'REPORTS' | 'ADMINISTRATION';
  read: TokenScope;
  /** Logs are only read. */
  write: TokenScope | null;
}

/** The areas that a token can be limited to, as the form and the list name them. */
export const areas: readonly AreaScopes[] = [
  { area: 'JOBS', read: 'JOBS_READ', write: 'JOBS_WRITE' },
  { area: 'TASKS', read: 'TASKS_READ', write: 'TASKS_WRITE' },
  { area: 'LOGS', read: 'LOGS_READ', write: null },
  { area: 'ALERTS', read: 'ALERTS_READ', write: 'ALERTS_WRITE' },
  { area: 'NODES', read: 'NODES_READ', write: 'NODES_WRITE' },
  { area: 'REPORTS', read: 'REPORTS_READ', write: 'REPORTS_WRITE' },
  { area: 'ADMINISTRATION', read: 'ADMINISTRATION_READ', write: 'ADMINISTRATION_WRITE' },
];
