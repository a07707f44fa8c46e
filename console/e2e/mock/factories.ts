import type { Page } from './page.ts';

// Records as the resolvers read them: plain values, and functions where a field takes arguments.

export interface AppRecord {
  id: string;
  name: string;
  description: string;
  createdAt: string;
  keys: KeyRecord[];
}

export interface KeyRecord {
  id: string;
  prefix: string;
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

export interface RoutingRecord {
  strategy: string;
  key: string | null;
  node: string | null;
  fallback: string | null;
  fallbackAfter: string | null;
  labels: unknown;
}

export interface GroupRecord {
  id: string;
  appId: string;
  name: string;
  maxRunning: number | null;
  releaseRate: number | null;
  releaseBurst: number | null;
  routing: string;
  routingRule: RoutingRecord;
  heartbeatInterval: string;
  heartbeatMisses: number;
  createdAt: string;
  due: string;
  oldestDueAt: string | null;
  drainsIn: string | null;
  drainsNote: string | null;
  releasedLastSecond: number;
  limitedBy: string | null;
  warnings: string[];
}

export interface NodeRecord {
  id: string;
  groupId: string;
  name: string;
  state: string;
  slots: number;
  running: number;
  lastSeenAt: string;
  startedAt: string;
  incarnation: string;
  labels: unknown;
  handlers: string[];
  sdk: string;
  host: string;
}

export interface ServerRecord {
  id: string;
  name: string;
  version: string;
  state: string;
  startedAt: string;
  lastSeenAt: string;
  partitions: number[];
  groups: number;
  lag: string | null;
  clockOffset: string;
  locks: string | null;
  degraded: string[];
  self: boolean;
}

export interface TriggerRecord {
  kind: string;
  words: Record<string, string>;
  expression: string | null;
  dialect: string | null;
  zone: string | null;
  startAt: string | null;
  endAt: string | null;
  jitter: string | null;
  every: string | null;
  delay: string | null;
  /** Name of a calendar of the job's app. */
  calendar?: string | null;
  onRestDay?: string | null;
  upstream?: { jobId: string; on: string }[];
  mode?: string;
  window?: string;
}

export interface JobRecord {
  id: string;
  groupId: string;
  name: string;
  handler: string;
  parameters: unknown;
  description: string;
  labels: unknown;
  trigger: TriggerRecord;
  enabled: boolean;
  priority: string;
  timeout: string;
  retry: { maxAttempts: number; backoff: string; delay: string; maxDelay: string; jitter: number };
  concurrency: string;
  maxRunning: number | null;
  misfire: { policy: string; grace: string; limit: number };
  delivery: string;
  routing: RoutingRecord | null;
  nextFireAt: string | null;
  lastFireAt: string | null;
  invalidReason: string | null;
  warnings: string[];
  skippedFires: unknown[];
  joins: JoinRecord[];
  stats: Record<string, string | null>;
  version: number;
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
}

export interface JoinRecord {
  window: string;
  openedAt: string;
  arrived: { jobId: string; taskId: string | null; at: string; condition: string }[];
  missing: string[];
  taskId: string | null;
  firedAt: string | null;
  reason: string | null;
}

export interface TaskRecord {
  id: string;
  jobId: string;
  state: string;
  trigger: string;
  priority: string;
  scheduledAt: string;
  availableAt: string;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  deadlineAt: string | null;
  duration: string | null;
  attempt: number;
  maxAttempts: number;
  nodeId: string | null;
  parameters: unknown;
  result: unknown;
  error: string | null;
  reason: string | null;
  uniqueKey: string | null;
  progress: number | null;
  progressMessage: string | null;
  cancelRequestedAt: string | null;
  attempts: unknown[];
  timeline: unknown[];
  /** The server let older lines of the log go. */
  truncated: boolean;
  rootId: string | null;
  backfillId: string | null;
  /** Tasks whose ends made it. */
  upstreamIds: string[];
  parentId: string | null;
  shard: number | null;
  shards: number | null;
  logs: {
    seq: string;
    at: string;
    level: string;
    message: string;
    fields: unknown;
    attempt: number;
  }[];
}

export type Overrides<T> = Partial<T>;
export type { Page };

let counter = 0;
const id = (prefix: string) => `${prefix}${String(++counter).padStart(6, '0')}`;

export function makeApp(over: Overrides<AppRecord> = {}): AppRecord {
  return {
    id: id('app'),
    name: 'shop',
    description: 'Orders and payments',
    createdAt: '2026-01-10T09:00:00Z',
    keys: [],
    ...over,
  };
}

export function makeRouting(over: Overrides<RoutingRecord> = {}): RoutingRecord {
  return {
    strategy: 'LEAST_LOADED',
    key: null,
    node: null,
    fallback: null,
    fallbackAfter: null,
    labels: null,
    ...over,
  };
}

export function makeGroup(app: AppRecord, over: Overrides<GroupRecord> = {}): GroupRecord {
  return {
    id: id('grp'),
    appId: app.id,
    name: 'default',
    maxRunning: null,
    releaseRate: null,
    releaseBurst: null,
    routing: 'LEAST_LOADED',
    routingRule: makeRouting(),
    heartbeatInterval: '5s',
    heartbeatMisses: 3,
    createdAt: '2026-01-10T09:00:00Z',
    due: '0',
    oldestDueAt: null,
    drainsIn: null,
    drainsNote: null,
    releasedLastSecond: 0,
    limitedBy: null,
    warnings: [],
    ...over,
  };
}

export function makeNode(group: GroupRecord, over: Overrides<NodeRecord> = {}): NodeRecord {
  return {
    id: id('node'),
    groupId: group.id,
    name: 'shop-7f9c-1',
    state: 'ONLINE',
    slots: 16,
    running: 2,
    lastSeenAt: '2026-11-30T07:22:57Z',
    startedAt: '2026-11-29T22:00:00Z',
    incarnation: '01JDWZ7QF3M8R3VXWJ2P9ETK5C',
    labels: { zone: 'a' },
    handlers: ['orders.close'],
    sdk: 'go 1.0.0',
    host: 'ip-10-0-3-17',
    ...over,
  };
}

export function makeServer(over: Overrides<ServerRecord> = {}): ServerRecord {
  return {
    id: id('srv'),
    name: 'belfry-1:7000',
    version: '0.9.0',
    state: 'LIVE',
    startedAt: '2026-11-29T22:00:00Z',
    lastSeenAt: new Date().toISOString(),
    partitions: [],
    groups: 0,
    lag: null,
    clockOffset: '2ms',
    locks: 'REDIS',
    degraded: [],
    self: false,
    ...over,
  };
}

export function cron(expression: string, over: Overrides<TriggerRecord> = {}): TriggerRecord {
  return {
    kind: 'CRON',
    words: { en: `On ${expression}`, 'zh-CN': `按 ${expression}` },
    expression,
    dialect: expression.trim().split(/\s+/).length > 5 ? 'quartz' : 'unix',
    zone: 'UTC',
    startAt: null,
    endAt: null,
    jitter: null,
    every: null,
    delay: null,
    ...over,
  };
}

export function makeJob(group: GroupRecord, over: Overrides<JobRecord> = {}): JobRecord {
  return {
    id: id('job'),
    groupId: group.id,
    name: 'close-unpaid-orders',
    handler: 'orders.close',
    parameters: null,
    description: '',
    labels: null,
    trigger: cron('*/5 * * * *', {
      words: { en: 'Every 5 minutes', 'zh-CN': '每 5 分钟' },
    }),
    enabled: true,
    priority: 'NORMAL',
    timeout: '1h0m0s',
    retry: { maxAttempts: 1, backoff: 'FIXED', delay: '0s', maxDelay: '0s', jitter: 0 },
    concurrency: 'ALLOW',
    maxRunning: null,
    misfire: { policy: 'FIRE_ONCE', grace: '1m0s', limit: 100 },
    delivery: 'AT_LEAST_ONCE',
    routing: null,
    nextFireAt: '2026-11-30T07:25:00Z',
    lastFireAt: '2026-11-30T07:20:00Z',
    invalidReason: null,
    warnings: [],
    skippedFires: [],
    joins: [],
    stats: {
      succeeded: '288',
      failed: '0',
      cancelled: '0',
      skipped: '0',
      retried: '0',
      missed: '0',
      excluded: '0',
      late: '0',
      meanDuration: '1.284s',
      meanDelay: '42ms',
    },
    version: 1,
    createdAt: '2026-01-12T10:00:00Z',
    updatedAt: '2026-10-02T08:30:00Z',
    deletedAt: null,
    ...over,
  };
}

/** An attempt that ran from one instant to another; still running without an end. */
export function makeAttempt(
  number: number,
  startedAt: string,
  finishedAt: string | null,
  over: object = {},
): object {
  return {
    id: id('att'),
    number,
    state: finishedAt === null ? 'RUNNING' : 'SUCCEEDED',
    nodeName: 'shop-7f9c-1',
    availableAt: startedAt,
    dispatchedAt: startedAt,
    startedAt,
    finishedAt,
    error: null,
    result: null,
    ...over,
  };
}

/** A line of a log, as an info of the first attempt. */
export function makeLine(seq: number, over: Partial<TaskRecord['logs'][number]> = {}) {
  return {
    seq: String(seq),
    at: '2026-11-30T07:20:01.25Z',
    level: 'INFO',
    message: `line ${seq}`,
    fields: null,
    attempt: 1,
    ...over,
  };
}

export function makeTask(job: JobRecord, over: Overrides<TaskRecord> = {}): TaskRecord {
  const scheduledAt = over.scheduledAt ?? '2026-11-30T07:20:00Z';
  return {
    id: id('01JDX0A1B2C3D4E5F6G7'),
    jobId: job.id,
    state: 'SUCCEEDED',
    trigger: 'CRON',
    priority: job.priority,
    scheduledAt,
    availableAt: scheduledAt,
    createdAt: scheduledAt,
    startedAt: scheduledAt,
    finishedAt: scheduledAt,
    deadlineAt: null,
    duration: '1.284s',
    attempt: 1,
    maxAttempts: job.retry.maxAttempts,
    nodeId: null,
    parameters: job.parameters,
    result: null,
    error: null,
    reason: null,
    uniqueKey: null,
    progress: null,
    progressMessage: null,
    cancelRequestedAt: null,
    attempts: [],
    timeline: [],
    truncated: false,
    rootId: null,
    backfillId: null,
    upstreamIds: [],
    parentId: null,
    shard: null,
    shards: null,
    logs: [],
    ...over,
  };
}
