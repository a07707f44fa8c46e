import { makeBackfill } from './backfill.ts';
import { cron, makeJob, makeTask } from './factories.ts';
import type { GroupRecord, JobRecord } from './records.ts';
import type { World } from './world.ts';

const hour = 3_600_000;
const day = 24 * hour;
const iso = (ms: number) => new Date(ms).toISOString();
const date = (ms: number) => iso(ms).slice(0, 10);

/** A report that waits for two jobs, with windows in every state, and what follows it. */
export function addChain(world: World, group: GroupRecord, nightly: JobRecord): void {
  const now = Date.now();
  const imports = makeJob(group, {
    id: 'jobimport',
    name: 'import-bank-statements',
    handler: 'bank.import',
  });
  const report = makeJob(group, {
    id: 'jobreport',
    name: 'daily-report',
    handler: 'report.daily',
    trigger: {
      ...cron('x'),
      kind: 'DEPENDENCY',
      expression: null,
      dialect: null,
      zone: 'Asia/Shanghai',
      mode: 'ALL',
      window: 'DAY',
      upstream: [
        { jobId: nightly.id, on: 'SUCCESS' },
        { jobId: imports.id, on: 'COMPLETION' },
      ],
      words: {
        en: 'When reconcile-payments and import-bank-statements have ended on the same day',
        'zh-CN': '当 reconcile-payments 和 import-bank-statements 在同一天结束后',
      },
    },
    nextFireAt: null,
  });
  const mail = makeJob(group, {
    id: 'jobmail',
    name: 'mail-the-report',
    handler: 'mail.send',
    trigger: {
      ...report.trigger,
      upstream: [{ jobId: report.id, on: 'SUCCESS' }],
      words: { en: 'After daily-report has succeeded', 'zh-CN': 'daily-report 成功后' },
    },
  });
  world.jobs.push(imports, report, mail);
  const ran = (job: JobRecord, id: string, at: number, upstreamIds: string[] = []) => {
    const task = makeTask(job, {
      id,
      trigger: upstreamIds.length > 0 ? 'DEPENDENCY' : 'CRON',
      scheduledAt: iso(at),
      startedAt: iso(at + 200),
      finishedAt: iso(at + 5_000),
      upstreamIds,
    });
    world.tasks.push(task);
    return task;
  };
  const reconciled = ran(nightly, '01JDX0CHAINRECONCILE000001', now - day);
  const imported = ran(imports, '01JDX0CHAINIMPORT000000001', now - day + hour);
  const made = ran(report, '01JDX0CHAINREPORT000000001', now - day + hour + 5_000, [
    reconciled.id,
    imported.id,
  ]);
  ran(mail, '01JDX0CHAINMAIL00000000001', now - day + hour + 11_000, [made.id]);
  const arrival = (jobId: string, taskId: string | null, at: number, condition = 'SUCCESS') => ({
    jobId,
    taskId,
    at: iso(at),
    condition,
  });
  report.joins = [
    {
      window: date(now),
      openedAt: iso(now - 3 * hour),
      arrived: [arrival(imports.id, imported.id, now - 3 * hour, 'COMPLETION')],
      missing: [nightly.id],
      taskId: null,
      firedAt: null,
      reason: null,
    },
    {
      window: date(now - day),
      openedAt: iso(now - day),
      arrived: [
        arrival(nightly.id, reconciled.id, now - day + 5_000),
        arrival(imports.id, imported.id, now - day + hour + 5_000, 'COMPLETION'),
      ],
      missing: [],
      taskId: made.id,
      firedAt: iso(now - day + hour + 5_000),
      reason: null,
    },
    {
      window: date(now - 2 * day),
      openedAt: iso(now - 2 * day),
      arrived: [arrival(imports.id, null, now - 2 * day, 'COMPLETION')],
      missing: [nightly.id],
      taskId: null,
      firedAt: null,
      reason: 'PAUSED',
    },
  ];
}

/** So many backfills of a job, the newest one running. */
export function addBackfills(world: World, job: JobRecord, count: number): void {
  const start = Math.floor(Date.now() / day) * day;
  for (let i = 0; i < count; i++) {
    const state =
      i === 0 ? 'RUNNING' : i % 3 === 1 ? 'FINISHED' : i % 3 === 2 ? 'CANCELLED' : 'PAUSED';
    const backfill = makeBackfill(job.id, {
      id: `backfill${i + 1}`,
      from: iso(start - (i + 1) * day),
      to: iso(start - i * day),
      state,
      present: i === 0 ? 12 : 0,
      parameters: i === 0 ? { limit: 50, dryRun: false } : null,
      createdAt: iso(Date.now() - i * hour - 240_000),
      finishedAt: state === 'FINISHED' || state === 'CANCELLED' ? iso(Date.now() - i * hour) : null,
      nextAt: i === 0 ? iso(Date.now() + 1_000) : null,
      more:
        state === 'FINISHED'
          ? { created: 288, succeeded: 286, failed: 2, cancelled: 0 }
          : { created: 118, succeeded: 110, failed: 3, cancelled: state === 'CANCELLED' ? 5 : 0 },
    });
    world.backfills.push(backfill);
  }
  for (let i = 0; i < 70; i++) {
    const at = start - day + i * 300_000;
    const open = i > 62;
    world.tasks.push(
      makeTask(job, {
        trigger: 'BACKFILL',
        backfillId: 'backfill1',
        state: open ? (i > 66 ? 'WAITING' : 'RUNNING') : i % 23 === 7 ? 'FAILED' : 'SUCCEEDED',
        scheduledAt: iso(at),
        startedAt: i > 66 ? null : iso(Date.now() - (70 - i) * 1_000),
        finishedAt: open ? null : iso(Date.now() - (69 - i) * 1_000),
        duration: open ? null : '1.1s',
        error: i % 23 === 7 && !open ? 'the ledger of that day is closed' : null,
      }),
    );
  }
}
