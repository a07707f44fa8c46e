// Records as the resolvers read them: plain values, and functions where a field takes arguments.

import type { RevisionRecord } from './revisions.ts';

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
  stuck: number;
  lingering: number;
  stuckAttempts: {
    taskId: string;
    attempt: number;
    handler: string;
    since: string;
    cause: string;
    stack: string;
  }[];
  handlerSlots: { handlers: string[]; slots: number; running: number }[];
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
  /** Kept versions, newest first. */
  revisions: RevisionRecord[];
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
