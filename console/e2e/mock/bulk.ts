import { makeTask } from './factories.ts';
import { pageOf } from './page.ts';
import { matching, need, taskView } from './queries.ts';
import type { TaskRecord } from './records.ts';
import { refusal } from './refusal.ts';
import type { World } from './world.ts';

type Kind = 'RETRY' | 'DISCARD' | 'CANCEL';

export interface BulkRecord {
  id: string;
  kind: Kind;
  state: 'RUNNING' | 'FINISHED' | 'CANCELLED';
  /** Those that it has not come to. */
  rest: string[];
  /** Tasks, and those dealt with; a test or a scenario need not make them all. */
  total: number;
  done: number;
  refusals: { taskId: string; message: string }[];
  /** Refusals that are counted but not kept. */
  moreRefused: number;
  parameters: unknown;
  patch: unknown;
  reason: string;
  selection: object;
  createdBy: string;
  createdAt: string;
  finishedAt: string | null;
  requestId: string | null;
}

let counter = 0;

export function makeBulk(over: Partial<BulkRecord> = {}): BulkRecord {
  return {
    id: `bulk${String(++counter).padStart(5, '0')}`,
    kind: 'RETRY',
    state: 'RUNNING',
    rest: [],
    total: 0,
    done: 0,
    refusals: [],
    moreRefused: 0,
    parameters: null,
    patch: null,
    reason: '',
    selection: { asOf: '2026-11-30T07:20:00Z' },
    createdBy: 'admin',
    createdAt: '2026-11-30T07:20:00Z',
    finishedAt: null,
    requestId: null,
    ...over,
  };
}

export function bulkView(world: World, bulk: BulkRecord): object {
  const refused = bulk.refusals.length + bulk.moreRefused;
  return {
    ...bulk,
    total: String(bulk.total),
    done: String(bulk.done),
    refused: String(refused),
    progress: bulk.total === 0 ? 1 : (bulk.done + refused) / bulk.total,
    refusals: ({ first }: { first?: number | null }) =>
      bulk.refusals.slice(0, first ?? 20).map(({ taskId, message }) => {
        const task = world.tasks.find((t) => t.id === taskId);
        return { taskId, message, task: task ? taskView(world, task) : null };
      }),
  };
}

const states: Record<Kind, { usual: string[]; more: string[] }> = {
  RETRY: { usual: ['FAILED'], more: ['SUCCEEDED', 'CANCELLED', 'SKIPPED', 'DISCARDED'] },
  DISCARD: { usual: ['FAILED'], more: [] },
  CANCEL: { usual: ['WAITING', 'RUNNING', 'RETRYING'], more: ['FAILED'] },
};

const most = 100_000;

interface Input {
  kind: Kind;
  tasks?: string[] | null;
  filter?: (Parameters<typeof matching>[1] & object) | null;
  asOf?: string | null;
  parameters?: unknown;
  patch?: unknown;
  reason?: string | null;
  requestId?: string | null;
}

/** The tasks that are meant: those named, or those matched that were there at the instant. */
function chosen(world: World, input: Input): string[] {
  if (input.tasks) return [...new Set(input.tasks)].sort();
  const filter = { ...input.filter, states: input.filter?.states ?? states[input.kind].usual };
  const asOf = input.asOf ?? world.now().toISOString();
  return matching(world, filter)
    .filter((t) => t.createdAt <= asOf && (t.finishedAt ?? '') <= asOf)
    .map((t) => t.id)
    .reverse();
}

function wrong(input: Input): object | null {
  if (
    input.patch !== undefined &&
    (typeof input.patch !== 'object' || Array.isArray(input.patch))
  ) {
    const message =
      'patch must be a JSON object: its members are set in each task’s parameters, and those that are null are removed.';
    return refusal('INVALID', message, ['input', 'patch']);
  }
  return null;
}

export function bulkQueries(world: World) {
  return {
    bulkOperation: ({ id }: { id: string }) => {
      const found = world.bulks.find((b) => b.id === id);
      return found ? bulkView(world, found) : null;
    },
    bulkOperations: (args: { first?: number; after?: string }) => {
      const found = [...world.bulks].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
      const page = pageOf(found, args);
      return { ...page, nodes: page.nodes.map((b) => bulkView(world, b)) };
    },
    bulkPreview: ({ input }: { input: Input }) => {
      const ids = chosen(world, input);
      const message = 'The filter matches no task in a state that allows this; widen it.';
      return {
        total: String(Math.min(ids.length, most)),
        more: ids.length > most,
        asOf: world.now().toISOString(),
        error: ids.length === 0 ? refusal('INVALID', message, ['input', 'filter']) : wrong(input),
      };
    },
  };
}

export function bulkMutations(world: World) {
  return {
    createBulkOperation: ({ input }: { input: Input }) => {
      const known = world.bulks.find((b) => b.requestId && b.requestId === input.requestId);
      if (known) return { bulkOperation: bulkView(world, known), userErrors: [] };
      const error = wrong(input);
      if (error) return { bulkOperation: null, userErrors: [error] };
      const ids = chosen(world, input);
      const { search, ...rest } = input.filter ?? {};
      const asOf = input.asOf ?? world.now().toISOString();
      const bulk = makeBulk({
        kind: input.kind,
        rest: ids,
        total: ids.length,
        parameters: input.parameters ?? null,
        patch: input.patch ?? null,
        reason: input.reason ?? '',
        selection: input.tasks
          ? { asOf, named: ids.length }
          : { asOf, ...rest, ...(search && { search }) },
        createdAt: world.now().toISOString(),
        requestId: input.requestId ?? null,
      });
      world.bulks.push(bulk);
      goOn(world, bulk);
      return { bulkOperation: bulkView(world, bulk), userErrors: [] };
    },
    cancelBulkOperation: ({ id }: { id: string }) => {
      const bulk = need(world.bulks, id);
      if (bulk.state !== 'RUNNING') {
        const message = 'The operation has come to its end; there is nothing to stop.';
        return { bulkOperation: null, userErrors: [refusal('CONFLICT', message)] };
      }
      end(world, bulk, 'CANCELLED');
      return { bulkOperation: bulkView(world, bulk), userErrors: [] };
    },
  };
}

/** Deals with so many more of an operation's tasks, and tells. */
export function bulkStep(world: World, bulk: BulkRecord, count = bulk.rest.length): void {
  for (const id of bulk.rest.splice(0, count)) {
    const why = world.refusals.get(id) ?? change(world, bulk, id);
    if (why) bulk.refusals.push({ taskId: id, message: why });
    else bulk.done += 1;
  }
  if (bulk.rest.length === 0) end(world, bulk, 'FINISHED');
  else world.bulkChanged(bulk);
}

// Of itself only where the world has a pace: a test says when.
function goOn(world: World, bulk: BulkRecord): void {
  if (world.bulkPace === null) return;
  setTimeout(() => {
    if (bulk.state !== 'RUNNING') return;
    bulkStep(world, bulk, Math.max(1, Math.ceil(bulk.total / 20)));
    goOn(world, bulk);
  }, world.bulkPace);
}

function end(world: World, bulk: BulkRecord, state: BulkRecord['state']): void {
  bulk.state = state;
  bulk.finishedAt = world.now().toISOString();
  world.bulkChanged(bulk);
}

/** Does it to one task; answers why not. */
function change(world: World, bulk: BulkRecord, id: string): string | null {
  const task = need(world.tasks, id);
  const { usual, more } = states[bulk.kind];
  if (![...usual, ...more].includes(task.state)) {
    return `The task is ${task.state} by now. Nothing was changed.`;
  }
  const next = { RETRY: 'RETRYING', DISCARD: 'DISCARDED', CANCEL: 'CANCELLED' }[bulk.kind];
  if (bulk.kind === 'RETRY' && task.state !== 'FAILED') {
    const again = { state: 'WAITING', trigger: 'MANUAL', rootId: task.id, finishedAt: null };
    const made = makeTask(need(world.jobs, task.jobId), again);
    made.parameters = edited(bulk, task);
    world.tasks.push(made);
    world.taskChanged(made);
    return null;
  }
  if (bulk.kind === 'RETRY') task.parameters = edited(bulk, task);
  task.state = next;
  world.taskChanged(task);
  return null;
}

function edited(bulk: BulkRecord, task: TaskRecord): unknown {
  if (bulk.parameters !== null) return bulk.parameters;
  if (bulk.patch === null) return task.parameters;
  const merged = { ...(task.parameters as object | null), ...(bulk.patch as object) };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}
