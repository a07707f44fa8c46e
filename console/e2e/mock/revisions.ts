import { compare } from '../../src/features/job/revisions/compare.ts';
import { pageOf } from './page.ts';
import { jobView, need } from './queries.ts';
import type { JobRecord } from './records.ts';
import { refusal } from './refusal.ts';
import type { World } from './world.ts';

export interface RevisionRecord {
  number: number;
  at: string;
  author: string;
  authorKind: string;
  action: string;
  snapshot: Record<string, unknown>;
}

/** A definition as the server keeps it. */
export function makeSnapshot(job: JobRecord, over: Record<string, unknown> = {}) {
  return {
    name: job.name,
    group: job.groupId,
    handler: job.handler,
    trigger: { kind: job.trigger.kind, expression: job.trigger.expression, zone: job.trigger.zone },
    parameters: job.parameters ?? undefined,
    enabled: job.enabled,
    priority: job.priority,
    timeoutMs: 3_600_000,
    retry: { maxAttempts: 1, backoff: 'FIXED', delayMs: 0, maxDelayMs: 0 },
    concurrency: job.concurrency,
    misfire: { policy: 'FIRE_ONCE', graceMs: 60_000, limit: 100 },
    delivery: job.delivery,
    ...over,
  };
}

/** Keeps a version of a job; its number is the job's version. */
export function keepRevision(job: JobRecord, over: Partial<RevisionRecord> = {}): RevisionRecord {
  const kept = {
    number: job.version,
    at: '2026-11-29T08:00:00Z',
    author: 'ada',
    authorKind: 'PERSON',
    action: 'job.update',
    snapshot: makeSnapshot(job),
    ...over,
  };
  job.revisions.unshift(kept);
  return kept;
}

/** The fields of Job about its versions. */
export function revisionFields(job: JobRecord) {
  const view = (r: RevisionRecord, i: number) => {
    const before = job.revisions[i + 1];
    const present = job.revisions[0];
    const unchanged = (field: string) => field !== 'enabled' && field !== 'deleted';
    return {
      ...r,
      changes: before ? compare(before.snapshot, r.snapshot) : [],
      rollBackChanges: present
        ? compare(present.snapshot, r.snapshot).filter((c) => unchanged(c.field))
        : [],
    };
  };
  return {
    revisions: (args: object) => pageOf(job.revisions.map(view), args),
    revision: ({ number }: { number: number }) => {
      const i = job.revisions.findIndex((r) => r.number === number);
      const found = job.revisions[i];
      return found ? view(found, i) : null;
    },
  };
}

/** The root field of Mutation about them. */
export function revisionMutations(world: World) {
  return {
    rollBackJob: (args: { id: string; revision: number; version?: number }) => {
      const job = need(world.jobs, args.id);
      if (args.version !== undefined && args.version !== job.version) {
        const message = `The job is at version ${job.version} by now, not ${args.version}. Load it again and repeat the change.`;
        return { job: null, userErrors: [refusal('CONFLICT', message, ['version'])] };
      }
      const target = job.revisions.find((r) => r.number === args.revision);
      if (!target) {
        const message = `The job has no revision ${args.revision}; the newest 100 are kept.`;
        return { job: null, userErrors: [refusal('NOT_FOUND', message, ['revision'])] };
      }
      job.version++;
      keepRevision(job, {
        at: world.now().toISOString(),
        author: world.viewer?.name ?? '',
        action: 'job.rollback',
        snapshot: { ...target.snapshot, enabled: job.enabled },
      });
      world.jobChanged(job);
      return { job: jobView(world, job), userErrors: [] };
    },
  };
}

/** Six versions with all that can differ: for looking. */
export function addRevisions(job: JobRecord): void {
  const day = (n: number) => new Date(Date.now() - n * 86_400_000).toISOString();
  const now = makeSnapshot(job, {
    timeoutMs: 3_600_000,
    retry: { maxAttempts: 4, backoff: 'EXPONENTIAL', delayMs: 30_000, maxDelayMs: 600_000 },
    labels: { team: 'payments', tier: '1' },
    description: 'Compares yesterday’s payments with the bank’s statement.',
  });
  const first = {
    ...now,
    handler: 'payments.check',
    description: '',
    labels: undefined,
    trigger: { kind: 'FIXED_RATE', everyMs: 3_600_000 },
    parameters: { day: 'yesterday', banks: ['ICBC'], limit: 1_000 },
    priority: 'NORMAL',
    retry: { maxAttempts: 1, backoff: 'FIXED', delayMs: 0, maxDelayMs: 0 },
  };
  const scheduled = { ...first, trigger: now.trigger, handler: now.handler };
  const steps: Partial<RevisionRecord>[] = [
    { action: 'job.create', author: 'ada', at: day(90), snapshot: first },
    { author: 'belfry-apply', authorKind: 'TOKEN', at: day(61), snapshot: scheduled },
    { action: 'job.pause', author: 'lin', at: day(40), snapshot: { ...scheduled, enabled: false } },
    { action: 'job.resume', author: 'lin', at: day(39.6), snapshot: scheduled },
    { author: '林晓', at: day(12), snapshot: { ...now, priority: 'CRITICAL' } },
    { author: 'ada', at: day(1.2), snapshot: now },
  ];
  steps.forEach((step, i) => {
    job.version = i + 1;
    keepRevision(job, step);
  });
}
