import type {
  AppRecord,
  GroupRecord,
  JobRecord,
  NodeRecord,
  RoutingRecord,
  ServerRecord,
  TaskRecord,
  TriggerRecord,
} from './records.ts';

let counter = 0;
const id = (prefix: string) => `${prefix}${String(++counter).padStart(6, '0')}`;

export function makeApp(over: Partial<AppRecord> = {}): AppRecord {
  return {
    id: id('app'),
    name: 'shop',
    description: 'Orders and payments',
    createdAt: '2026-01-10T09:00:00Z',
    keys: [],
    ...over,
  };
}

export function makeRouting(over: Partial<RoutingRecord> = {}): RoutingRecord {
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

export function makeGroup(app: AppRecord, over: Partial<GroupRecord> = {}): GroupRecord {
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

export function makeNode(group: GroupRecord, over: Partial<NodeRecord> = {}): NodeRecord {
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
    stuck: 0,
    lingering: 0,
    stuckAttempts: [],
    handlerSlots: [],
    ...over,
  };
}

export function makeServer(over: Partial<ServerRecord> = {}): ServerRecord {
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

export function cron(expression: string, over: Partial<TriggerRecord> = {}): TriggerRecord {
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

export function makeJob(group: GroupRecord, over: Partial<JobRecord> = {}): JobRecord {
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
    revisions: [],
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

export function makeTask(job: JobRecord, over: Partial<TaskRecord> = {}): TaskRecord {
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
