import { calendarOf, calendarView } from './calendars.ts';
import { cron } from './factories.ts';
import { jobView, need } from './queries.ts';
import type { JobRecord, TriggerRecord } from './records.ts';
import type { World } from './world.ts';

/** A job's trigger with the calendar and the jobs it goes by. */
export function triggerView(world: World, job: JobRecord): object {
  const { words, ...trigger } = job.trigger;
  const calendar = calendarOf(world, need(world.groups, job.groupId).appId, trigger.calendar);
  return {
    ...trigger,
    description: ({ locale }: { locale: string }) => words[locale] ?? words.en,
    calendar: () => (calendar ? calendarView(world, calendar) : null),
    onRestDay: calendar ? (trigger.onRestDay ?? 'SKIP') : null,
    upstream: trigger.upstream
      ? () =>
          trigger.upstream?.map(({ jobId: id, on }) => ({
            job: jobView(world, need(world.jobs, id)),
            on,
          }))
      : null,
  };
}

interface DependencyInput {
  upstream: { job: string; on?: string }[];
  mode?: string;
  window?: string;
  zone?: string;
}

/** A record of the trigger that a form sent. */
export function triggerOf(input: Record<string, Record<string, unknown>>): TriggerRecord {
  if (input.cron) {
    const { expression, ...rest } = input.cron;
    return cron(String(expression), rest);
  }
  const none = { ...cron('x'), expression: null, dialect: null };
  if (input.fixedRate) return { ...none, ...input.fixedRate, kind: 'FIXED_RATE' };
  if (input.fixedDelay) return { ...none, ...input.fixedDelay, kind: 'FIXED_DELAY' };
  if (input.dependency) {
    return dependency(input.dependency as unknown as DependencyInput);
  }
  return { ...none, kind: 'MANUAL', zone: null };
}

/** A dependency trigger. */
export function dependency(input: DependencyInput): TriggerRecord {
  return {
    ...cron('x'),
    kind: 'DEPENDENCY',
    expression: null,
    dialect: null,
    zone: input.zone ?? 'UTC',
    words: { en: 'After other jobs', 'zh-CN': '在其他作业之后' },
    upstream: input.upstream.map(({ job, on = 'SUCCESS' }) => ({ jobId: job, on })),
    mode: input.mode ?? 'ALL',
    window: input.window ?? 'RUN',
  };
}

/** The names on the way from a job back to itself, were it to wait for `upstream`; null without a cycle. */
export function cycleOf(world: World, id: string, upstream: readonly string[]): string[] | null {
  const name = (jobId: string) => need(world.jobs, jobId).name;
  const walk = (at: string, path: string[]): string[] | null => {
    if (at === id) return [...path, name(at)];
    for (const next of need(world.jobs, at).trigger.upstream ?? []) {
      const found = walk(next.jobId, [...path, name(at)]);
      if (found) return found;
    }
    return null;
  };
  if (!world.jobs.some((job) => job.id === id)) return null;
  for (const each of upstream) {
    const found = walk(each, [name(id)]);
    if (found) return found;
  }
  return null;
}
