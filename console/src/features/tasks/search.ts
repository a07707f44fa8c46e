import {
  type TaskState,
  type TriggerKind,
  taskStateValues,
  triggerKindValues,
} from '@/graphql/generated/enums';
import type { TaskFilter } from '@/graphql/generated/graphql';
import { instant, oneOf, someOf, text } from '@/routes/search';

export const pageSize = 50;

/** Ranges of scheduled time that can be chosen; they end now. */
export const ranges = ['hour', 'day', 'week'] as const;
export type Range = (typeof ranges)[number];

/** What the address of the tasks list says. */
export interface TasksSearch {
  q?: string | undefined;
  states?: TaskState[] | undefined;
  app?: string | undefined;
  group?: string | undefined;
  node?: string | undefined;
  job?: string | undefined;
  backfill?: string | undefined;
  trigger?: TriggerKind | undefined;
  /** Scheduled at or after; a range writes it once, so that pages keep their bounds. */
  from?: string | undefined;
  to?: string | undefined;
  after?: string | undefined;
}

export function readTasksSearch(raw: Record<string, unknown>): TasksSearch {
  return {
    q: text(raw, 'q', 200),
    states: someOf(raw, 'states', taskStateValues),
    app: text(raw, 'app', 64),
    group: text(raw, 'group', 64),
    node: text(raw, 'node', 64),
    job: text(raw, 'job', 64),
    backfill: text(raw, 'backfill', 64),
    trigger: oneOf(raw, 'trigger', triggerKindValues),
    from: instant(raw, 'from'),
    to: instant(raw, 'to'),
    after: text(raw, 'after'),
  };
}

/** The server's filter for an address; undefined parts do not filter. */
export function taskFilter(search: TasksSearch): TaskFilter {
  const { q, states, app, group, node, job, backfill, trigger, from, to } = search;
  return {
    ...(q ? { search: q } : {}),
    ...(states ? { states } : {}),
    ...(app ? { app } : {}),
    ...(group ? { group } : {}),
    ...(node ? { node } : {}),
    ...(job ? { job } : {}),
    ...(backfill ? { backfill } : {}),
    ...(trigger ? { trigger } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  };
}

/** The failed queue is the tasks list with this search. */
export const failedQueueSearch: TasksSearch = { states: ['FAILED'] };

export function isFailedQueue(search: TasksSearch): boolean {
  return search.states?.length === 1 && search.states[0] === 'FAILED';
}

export function activeFilters(search: TasksSearch): number {
  return Object.keys(taskFilter(search)).length;
}

const lengths: Record<Range, number> = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 };

/** The first instant of a range that ends at `now`. */
export function rangeStart(range: Range, now: Date): string {
  return new Date(now.getTime() - lengths[range]).toISOString();
}
