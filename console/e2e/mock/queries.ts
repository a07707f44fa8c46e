import { parseDuration, toGoDuration } from '../../src/time/duration.ts';
import { accountQueries } from './accounts.ts';
import { alertQueries } from './alerts.ts';
import { auditQueries } from './audit.ts';
import { backfillQueries, backfillView } from './backfill.ts';
import { bulkQueries } from './bulk.ts';
import { calendarQueries } from './calendars.ts';
import { pageOf, stoppedPage } from './page.ts';
import { preview } from './preview.ts';
import type {
  AppRecord,
  GroupRecord,
  JobRecord,
  JoinRecord,
  NodeRecord,
  TaskRecord,
} from './records.ts';
import { revisionFields } from './revisions.ts';
import { triggerView } from './triggers.ts';
import { whyNotRun } from './why.ts';
import type { World } from './world.ts';

// Views: records with their relations, as the schema asks for them.

export function appView(world: World, app: AppRecord): object {
  const groups = world.groups.filter((g) => g.appId === app.id);
  const groupIds = new Set(groups.map((g) => g.id));
  return {
    ...app,
    nodeGroups: () => groups.map((g) => groupView(world, g)),
    jobCount: world.jobs.filter((j) => groupIds.has(j.groupId) && !j.deletedAt).length,
    onlineNodeCount: world.nodes.filter((n) => groupIds.has(n.groupId) && n.state === 'ONLINE')
      .length,
  };
}

export function groupView(world: World, group: GroupRecord): object {
  // Each is counted only when asked for: ten thousand nodes each have a group.
  const nodes = () => world.nodes.filter((n) => n.groupId === group.id);
  const jobIds = () => new Set(world.jobs.filter((j) => j.groupId === group.id).map((j) => j.id));
  const count = (...states: string[]) => {
    const ids = jobIds();
    return String(world.tasks.filter((t) => ids.has(t.jobId) && states.includes(t.state)).length);
  };
  return {
    ...group,
    app: () => appView(world, need(world.apps, group.appId)),
    nodes: () => nodes().map((n) => nodeView(world, n)),
    jobCount: () => jobIds().size,
    takeoverAfter: toGoDuration(
      (parseDuration(group.heartbeatInterval) ?? 0) * group.heartbeatMisses,
    ),
    waiting: () => count('WAITING', 'RETRYING'),
    running: () => count('RUNNING'),
    slots: () =>
      nodes()
        .filter((n) => n.state === 'ONLINE')
        .reduce((sum, n) => sum + n.slots, 0),
  };
}

export function nodeView(world: World, node: NodeRecord): object {
  return {
    ...node,
    group: () => groupView(world, need(world.groups, node.groupId)),
    stuckAttempts: () =>
      node.stuckAttempts.map((stuck) => ({
        ...stuck,
        task: () => one(world.tasks, stuck.taskId, (t) => taskView(world, t)),
      })),
  };
}

export function jobView(world: World, job: JobRecord): object {
  const group = need(world.groups, job.groupId);
  return {
    ...job,
    group: () => groupView(world, group),
    app: () => appView(world, need(world.apps, group.appId)),
    trigger: () => triggerView(world, job),
    ...revisionFields(job),
    nextFires: ({ count }: { count: number }) => fires(job.nextFireAt, count),
    skippedFires: ({ first }: { first: number }) => job.skippedFires.slice(0, first),
    downstream: ({ first }: { first: number }) =>
      world.jobs
        .filter((j) => j.trigger.upstream?.some((up) => up.jobId === job.id))
        .slice(0, first)
        .map((j) => jobView(world, j)),
    joins: ({ first }: { first: number }) =>
      job.joins.slice(0, first).map((j) => joinView(world, j)),
    recentTasks: ({ first }: { first: number }) =>
      world.tasks
        .filter((t) => t.jobId === job.id)
        .sort(latestFirst)
        .slice(0, first)
        .map((t) => taskView(world, t)),
  };
}

function joinView(world: World, join: JoinRecord): object {
  const task = (id: string | null) => one(world.tasks, id ?? '', (t) => taskView(world, t));
  const job = (id: string) => jobView(world, need(world.jobs, id));
  return {
    ...join,
    arrived: () => join.arrived.map((a) => ({ ...a, job: job(a.jobId), task: task(a.taskId) })),
    missing: () => join.missing.map(job),
    task: () => task(join.taskId),
  };
}

export function taskView(world: World, task: TaskRecord): object {
  const job = need(world.jobs, task.jobId);
  const node = world.nodes.find((n) => n.id === task.nodeId);
  return {
    ...task,
    job: () => jobView(world, job),
    group: () => groupView(world, need(world.groups, job.groupId)),
    node: () => (node ? nodeView(world, node) : null),
    rootTask: () => one(world.tasks, task.rootId ?? '', (t) => taskView(world, t)),
    backfill: () => one(world.backfills, task.backfillId ?? '', (b) => backfillView(world, b)),
    upstream: () => task.upstreamIds.map((id) => taskView(world, need(world.tasks, id))),
    downstream: ({ first }: { first: number }) =>
      world.tasks
        .filter((t) => t.upstreamIds.includes(task.id))
        .slice(0, first)
        .map((t) => taskView(world, t)),
    parent: () => one(world.tasks, task.parentId ?? '', (t) => taskView(world, t)),
    children: (args: object) => {
      const page = pageOf(
        world.tasks.filter((t) => t.parentId === task.id),
        args,
      );
      return { ...page, nodes: page.nodes.map((t) => taskView(world, t)) };
    },
    logs: ({ first = 200, after }: { first?: number; after?: string | null }) => {
      const rest = task.logs.filter((l) => BigInt(l.seq) > BigInt(after ?? '0'));
      const nodes = rest.slice(0, first);
      return {
        nodes,
        hasNextPage: rest.length > nodes.length,
        endCursor: nodes.at(-1)?.seq ?? null,
        truncated: task.truncated,
      };
    },
  };
}

interface JobFilterArgs {
  app?: string;
  group?: string;
  enabled?: boolean;
  trigger?: string;
  search?: string;
}

interface TaskFilterArgs {
  job?: string;
  app?: string;
  group?: string;
  node?: string;
  states?: string[];
  trigger?: string;
  backfill?: string;
  parent?: string;
  from?: string;
  to?: string;
  search?: string;
}

/** The tasks that a filter matches, the latest first. */
export function matching(world: World, f: TaskFilterArgs): TaskRecord[] {
  const groupOf = (t: TaskRecord) => need(world.jobs, t.jobId).groupId;
  return world.tasks
    .filter((t) => (f.parent ? t.parentId === f.parent : !t.parentId || Boolean(f.node)))
    .filter((t) => !f.job || t.jobId === f.job)
    .filter((t) => !f.group || groupOf(t) === f.group)
    .filter((t) => !f.app || need(world.groups, groupOf(t)).appId === f.app)
    .filter((t) => !f.node || t.nodeId === f.node)
    .filter((t) => !f.states || f.states.length === 0 || f.states.includes(t.state))
    .filter((t) => !f.trigger || t.trigger === f.trigger)
    .filter((t) => !f.backfill || t.backfillId === f.backfill)
    .filter((t) => !f.from || t.scheduledAt >= f.from)
    .filter((t) => !f.to || t.scheduledAt < f.to)
    .filter((t) => !f.search || t.id.startsWith(f.search) || t.uniqueKey === f.search)
    .sort(latestFirst);
}

/** The root fields of Query. */
export function queries(world: World) {
  const appOf = (groupId: string) => need(world.groups, groupId).appId;
  return {
    ...accountQueries(world),
    ...auditQueries(world),
    ...backfillQueries(world),
    ...bulkQueries(world),
    whyNotRun: (args: Parameters<typeof whyNotRun>[1]) => whyNotRun(world, args),
    ...calendarQueries(world),
    ...alertQueries(world),
    viewer: () => world.viewer && { roleInAllApps: world.viewer.role, ...world.viewer },
    secondFactor: () => world.factor,
    sessions: () => world.sessions,
    installation: () => ({
      version: '0.9.0',
      publicUrl: 'http://127.0.0.1:7000',
      embedded: true,
      demo: false,
      servers: world.servers,
    }),
    servers: () => [...world.servers].sort(byName),
    securityFindings: () => world.findings,
    apps: () => [...world.apps].sort(byName).map((a) => appView(world, a)),
    app: ({ name }: { name: string }) => {
      const app = world.apps.find((a) => a.name === name);
      return app ? appView(world, app) : null;
    },
    nodeGroups: ({ app }: { app?: string | null }) =>
      world.groups.filter((g) => !app || g.appId === app).map((g) => groupView(world, g)),
    nodeGroup: ({ id }: { id: string }) => one(world.groups, id, (g) => groupView(world, g)),
    nodes: ({ group }: { group?: string | null }) =>
      world.nodes.filter((n) => !group || n.groupId === group).map((n) => nodeView(world, n)),
    node: ({ id }: { id: string }) => one(world.nodes, id, (n) => nodeView(world, n)),
    job: ({ id }: { id: string }) => one(world.jobs, id, (j) => jobView(world, j)),
    jobs: (args: {
      filter?: JobFilterArgs | null;
      orderBy?: string | null;
      first?: number;
      after?: string;
    }) => {
      const f = args.filter ?? {};
      const text = f.search?.toLowerCase();
      const found = world.jobs
        .filter((j) => !j.deletedAt)
        .filter((j) => !f.app || appOf(j.groupId) === f.app)
        .filter((j) => !f.group || j.groupId === f.group)
        .filter((j) => f.enabled == null || j.enabled === f.enabled)
        .filter((j) => !f.trigger || j.trigger.kind === f.trigger)
        .filter((j) => !text || `${j.name} ${j.handler}`.toLowerCase().includes(text))
        .sort(args.orderBy === 'NEXT_FIRE' ? byNextFire : byName);
      const page = pageOf(found, args);
      const nodes = page.nodes.map((j) => jobView(world, j));
      return { ...page, nodes, edges: page.edges.map((e, i) => ({ ...e, node: nodes[i] })) };
    },
    task: ({ id }: { id: string }) => one(world.tasks, id, (t) => taskView(world, t)),
    tasks: (args: { filter?: TaskFilterArgs | null; first?: number; after?: string }) => {
      const found = matching(world, args.filter ?? {});
      if (world.searchedTo && !args.after) return stoppedPage(world.searchedTo);
      const page = pageOf(found, args);
      const nodes = page.nodes.map((t) => taskView(world, t));
      return { ...page, nodes, edges: page.edges.map((e, i) => ({ ...e, node: nodes[i] })) };
    },
    overview: () => overview(world),
    schedulePreview: ({ input }: { input: Parameters<typeof preview>[1] }) => preview(world, input),
  };
}

function overview(world: World) {
  const count = (...states: string[]) =>
    String(world.tasks.filter((t) => states.includes(t.state)).length);
  const nodes = (state: string) => world.nodes.filter((n) => n.state === state).length;
  return {
    at: world.now().toISOString(),
    waiting: count('WAITING'),
    running: count('RUNNING'),
    retrying: count('RETRYING'),
    failedQueue: count('FAILED'),
    minutes: world.minutes,
    recentFailures: world.tasks
      .filter((t) => t.state === 'FAILED')
      .sort(latestFirst)
      .slice(0, 10)
      .map((t) => taskView(world, t)),
    nodes: {
      online: nodes('ONLINE'),
      suspect: nodes('SUSPECT'),
      offline: nodes('OFFLINE'),
      draining: nodes('DRAINING'),
    },
    slots: world.nodes.filter((n) => n.state === 'ONLINE').reduce((sum, n) => sum + n.slots, 0),
    jobs: world.jobs.filter((j) => j.enabled && !j.deletedAt).length,
    upcoming: world.jobs
      .filter((j) => j.enabled && j.nextFireAt && !j.deletedAt)
      .sort(byNextFire)
      .slice(0, 10)
      .map((j) => ({ job: jobView(world, j), at: j.nextFireAt })),
  };
}

/** The record with this id; the mock's data must be whole. */
export function need<T extends { id: string }>(all: readonly T[], id: string): T {
  const found = all.find((x) => x.id === id);
  if (!found) throw new Error(`the mock has no record ${id}`);
  return found;
}

function one<T extends { id: string }>(all: T[], id: string, view: (record: T) => object) {
  const found = all.find((x) => x.id === id);
  return found ? view(found) : null;
}

export function fires(first: string | null, count: number): string[] {
  if (!first) return [];
  const start = Date.parse(first);
  return Array.from({ length: count }, (_, i) => new Date(start + i * 300_000).toISOString());
}

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
const byNextFire = (a: JobRecord, b: JobRecord) =>
  (a.nextFireAt ?? '9').localeCompare(b.nextFireAt ?? '9');
const latestFirst = (a: TaskRecord, b: TaskRecord) =>
  b.scheduledAt.localeCompare(a.scheduledAt) || b.id.localeCompare(a.id);
