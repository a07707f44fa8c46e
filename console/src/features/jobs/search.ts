import { type JobOrder, jobOrderValues } from '@/graphql/generated/enums';
import type { JobFilter } from '@/graphql/generated/graphql';
import { oneOf, text } from '@/routes/search';

/** Kinds a job can have; the others only make single tasks. */
export const jobTriggers = ['CRON', 'FIXED_RATE', 'FIXED_DELAY', 'DEPENDENCY', 'MANUAL'] as const;
export const jobStatuses = ['enabled', 'paused'] as const;
export const pageSize = 50;

/** What the address of the jobs list says. */
export interface JobsSearch {
  q?: string | undefined;
  app?: string | undefined;
  status?: (typeof jobStatuses)[number] | undefined;
  trigger?: (typeof jobTriggers)[number] | undefined;
  order?: JobOrder | undefined;
  after?: string | undefined;
}

export function readJobsSearch(raw: Record<string, unknown>): JobsSearch {
  return {
    q: text(raw, 'q'),
    app: text(raw, 'app', 64),
    status: oneOf(raw, 'status', jobStatuses),
    trigger: oneOf(raw, 'trigger', jobTriggers),
    order: oneOf(raw, 'order', jobOrderValues),
    after: text(raw, 'after'),
  };
}

/** The server's filter for an address; undefined parts do not filter. */
export function jobFilter(search: JobsSearch): JobFilter {
  return {
    ...(search.q ? { search: search.q } : {}),
    ...(search.app ? { app: search.app } : {}),
    ...(search.status ? { enabled: search.status === 'enabled' } : {}),
    ...(search.trigger ? { trigger: search.trigger } : {}),
  };
}

export function activeFilters(search: JobsSearch): number {
  return [search.q, search.app, search.status, search.trigger].filter(Boolean).length;
}
