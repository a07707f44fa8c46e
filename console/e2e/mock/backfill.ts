import { makeTask } from './factories.ts';
import { pageOf } from './page.ts';
import { jobView, need, taskView } from './queries.ts';
import { refusal } from './refusal.ts';
import type { World } from './world.ts';

export interface BackfillRecord {
  id: string;
  jobId: string;
  from: string;
  to: string;
  state: 'RUNNING' | 'PAUSED' | 'FINISHED' | 'CANCELLED';
  onlyMissing: boolean;
  perMinute: number;
  maxRunning: number;
  parameters: unknown;
  /** Fires of the range, and those of them that had a task before. */
  total: number;
  present: number;
  /** Counts that the tasks in this world do not show: a test or a scenario need not make them all. */
  more: { created: number; succeeded: number; failed: number; cancelled: number };
  nextAt: string | null;
  createdAt: string;
  finishedAt: string | null;
}

let counter = 0;

export function makeBackfill(jobId: string, over: Partial<BackfillRecord> = {}): BackfillRecord {
  return {
    id: `bf${String(++counter).padStart(4, '0')}`,
    jobId,
    from: '2026-11-29T00:00:00Z',
    to: '2026-11-30T00:00:00Z',
    state: 'RUNNING',
    onlyMissing: true,
    perMinute: 60,
    maxRunning: 10,
    parameters: null,
    total: 288,
    present: 0,
    more: { created: 0, succeeded: 0, failed: 0, cancelled: 0 },
    nextAt: null,
    createdAt: '2026-11-30T07:20:00Z',
    finishedAt: null,
    ...over,
  };
}

export function backfillView(world: World, backfill: BackfillRecord): object {
  const tasks = world.tasks.filter((t) => t.backfillId === backfill.id);
  const { more } = backfill;
  const count = (...states: string[]) => tasks.filter((t) => states.includes(t.state)).length;
  const succeeded = more.succeeded + count('SUCCEEDED');
  const failed = more.failed + count('FAILED', 'DISCARDED');
  const cancelled = more.cancelled + count('CANCELLED', 'SKIPPED');
  const ended = succeeded + failed + cancelled + backfill.present;
  return {
    ...backfill,
    total: String(backfill.total),
    present: String(backfill.present),
    created: String(more.created + tasks.length),
    succeeded: String(succeeded),
    failed: String(failed),
    cancelled: String(cancelled),
    progress: backfill.total === 0 ? 1 : Math.min(1, ended / backfill.total),
    createdBy: 'admin',
    job: () => jobView(world, need(world.jobs, backfill.jobId)),
    tasks: (args: object) => {
      const page = pageOf(tasks, args);
      return { ...page, nodes: page.nodes.map((t) => taskView(world, t)) };
    },
  };
}

interface Input {
  job: string;
  from: string;
  to: string;
  onlyMissing: boolean;
  perMinute: number;
  maxRunning: number;
  parameters?: unknown;
}

const step = 300_000;

/** The instants of a range, every five minutes, whatever the job's trigger says. */
function instants(input: Input): string[] {
  const all: string[] = [];
  const first = Math.ceil(Date.parse(input.from) / step) * step;
  for (let at = first; at < Date.parse(input.to); at += step) all.push(new Date(at).toISOString());
  return all;
}

export function backfillQueries(world: World) {
  const existing = (input: Input, all: string[]) => {
    const have = new Set(
      world.tasks
        .filter((t) => t.jobId === input.job)
        .map((t) => new Date(t.scheduledAt).toISOString()),
    );
    return all.filter((at) => have.has(at)).length;
  };
  return {
    backfill: ({ id }: { id: string }) => {
      const found = world.backfills.find((b) => b.id === id);
      return found ? backfillView(world, found) : null;
    },
    backfills: ({ job, ...args }: { job?: string | null; first?: number; after?: string }) => {
      const found = world.backfills
        .filter((b) => !job || b.jobId === job)
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
      const page = pageOf(found, args);
      return { ...page, nodes: page.nodes.map((b) => backfillView(world, b)) };
    },
    backfillPreview: ({ input }: { input: Input }) => {
      const error = wrong(input);
      const all = error ? [] : instants(input);
      const present = existing(input, all);
      const make = input.onlyMissing ? all.length - present : all.length;
      return {
        total: String(all.length),
        atLeast: all.length > 5_000,
        present: String(present),
        first: all[0] ?? null,
        last: all.at(-1) ?? null,
        sample: all.slice(0, 10),
        duration: `${Math.ceil((make / Math.max(1, input.perMinute)) * 60)}s`,
        warnings:
          make > 1_000 ? [`${make} tasks are many: other jobs of the group wait beside them.`] : [],
        error,
      };
    },
  };
}

function wrong(input: Input): object | null {
  if (Date.parse(input.to) > Date.parse(input.from)) return null;
  const message = `to is ${input.to}, which is not after from. Choose a later instant.`;
  return refusal('INVALID', message, ['input', 'to']);
}

export function backfillMutations(world: World) {
  const set = (id: string, state: BackfillRecord['state']) => {
    const message = world.refusals.get(id);
    if (message) return { backfill: null, userErrors: [refusal('CONFLICT', message)] };
    const backfill = need(world.backfills, id);
    backfill.state = state;
    if (state === 'CANCELLED') {
      backfill.finishedAt = world.now().toISOString();
      for (const task of world.tasks) {
        if (task.backfillId === id && task.state === 'WAITING') task.state = 'CANCELLED';
      }
    }
    world.backfillChanged(backfill);
    return { backfill: backfillView(world, backfill), userErrors: [] };
  };
  return {
    createBackfill: ({ input }: { input: Input }) => {
      const error = wrong(input);
      if (error) return { backfill: null, userErrors: [error] };
      const all = instants(input);
      const backfill = makeBackfill(input.job, {
        from: input.from,
        to: input.to,
        onlyMissing: input.onlyMissing,
        perMinute: input.perMinute,
        maxRunning: input.maxRunning,
        parameters: input.parameters ?? null,
        total: all.length,
        createdAt: world.now().toISOString(),
      });
      world.backfills.push(backfill);
      const job = need(world.jobs, input.job);
      for (const scheduledAt of all.slice(0, 3)) {
        world.tasks.push(
          makeTask(job, {
            trigger: 'BACKFILL',
            state: 'RUNNING',
            scheduledAt,
            finishedAt: null,
            duration: null,
            backfillId: backfill.id,
          }),
        );
      }
      return { backfill: backfillView(world, backfill), userErrors: [] };
    },
    pauseBackfill: ({ id }: { id: string }) => set(id, 'PAUSED'),
    resumeBackfill: ({ id }: { id: string }) => set(id, 'RUNNING'),
    cancelBackfill: ({ id }: { id: string }) => set(id, 'CANCELLED'),
  };
}
