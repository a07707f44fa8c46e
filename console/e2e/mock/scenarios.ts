import { addAccounts, addManyAccounts } from './accounts.ts';
import { addManyAlerts } from './alert-night/many.ts';
import { addAlerts } from './alert-scenarios.ts';
import { addAudits } from './audit.ts';
import { addBulks } from './bulks.ts';
import { addBackfills, addChain } from './chains.ts';
import { cron, makeApp, makeGroup, makeJob, makeNode, makeTask } from './factories.ts';
import type { GroupRecord } from './records.ts';
import { addRevisions } from './revisions.ts';
import { addFindings, addManyFindings } from './security.ts';
import { addServers, addTroubledServers } from './servers.ts';
import { addStories } from './stories.ts';
import { World } from './world.ts';
import { addCalendars, addManyCalendars } from './years.ts';

const minute = 60_000;

/** Worlds to look at: nothing yet, a small team, and more rows than a page holds. */
export const scenarios = { empty, few, many };
export type Scenario = keyof typeof scenarios;

const iso = (ms: number) => new Date(ms).toISOString();
const nextOn = (step: number) => iso(Math.ceil(Date.now() / step) * step);

function empty(): World {
  const world = new World();
  for (const server of addServers(world, 1)) server.locks = 'LOCAL';
  return world;
}

function few(): World {
  const world = new World();
  const group = shop(world);
  addAccounts(world);
  addAudits(world);
  const nightly = makeJob(group, {
    id: 'jobnightly',
    name: 'reconcile-payments',
    handler: 'payments.reconcile',
    description: 'Compares yesterday’s payments with the bank’s statement.',
    labels: { team: 'payments', tier: '1' },
    parameters: { day: 'yesterday', banks: ['ICBC', 'BOC'], limit: 50000, dryRun: false },
    trigger: cron('0 30 2 ? * MON-FRI', {
      zone: 'Asia/Shanghai',
      words: { en: 'At 02:30, Monday to Friday', 'zh-CN': '周一至周五 02:30' },
      jitter: '2m0s',
    }),
    retry: { maxAttempts: 4, backoff: 'EXPONENTIAL', delay: '30s', maxDelay: '10m0s', jitter: 0.2 },
    concurrency: 'SKIP',
    priority: 'HIGH',
    maxRunning: 1,
    nextFireAt: nextOn(24 * 60 * minute),
    stats: stats(1, 0, 0, 0, 1, '4m12s', '120ms'),
    skippedFires: [
      {
        firstAt: iso(Date.now() - 5 * 3_600_000),
        lastAt: iso(Date.now() - 4 * 3_600_000),
        count: '3',
        reason: 'MISFIRE_COALESCED',
        message: 'The server was down at that time; the policy is to run the latest once.',
        recordedAt: iso(Date.now() - 4 * 3_600_000),
      },
    ],
  });
  const rate = makeJob(group, {
    name: 'refresh-exchange-rates',
    handler: 'rates.refresh',
    trigger: {
      ...cron('x'),
      kind: 'FIXED_RATE',
      expression: null,
      dialect: null,
      every: '30s',
      words: { en: 'Every 30 seconds', 'zh-CN': '每 30 秒' },
    },
    enabled: false,
    nextFireAt: null,
    warnings: ['No node of the group "default" has the handler "rates.refresh".'],
    stats: stats(0, 0, 0, 0, 0, null, null),
  });
  const close = makeJob(group, {
    id: 'jobclose',
    nextFireAt: nextOn(5 * minute),
    lastFireAt: iso(Date.now() - 3 * minute),
  });
  world.jobs.push(nightly, rate, close);
  addRevisions(nightly);
  addCalendars(world, nightly);
  runs(world, close.id, 24);
  runs(world, nightly.id, 6);
  addStories(world, nightly);
  addChain(world, group, nightly);
  addBackfills(world, close, 3);
  addBulks(world, close.id, 3);
  world.bulkPace = 400;
  addAlerts(world, nightly, close);
  addTroubledServers(world);
  addFindings(world);
  Object.assign(group, {
    releaseRate: 200,
    due: '18240',
    oldestDueAt: iso(Date.now() - 96_000),
    drainsIn: '2m41s',
    releasedLastSecond: 113,
    limitedBy: 'SLOTS',
  });
  world.minutes = minutes(0.4);
  return world;
}

function many(): World {
  const world = few();
  const [group] = world.groups;
  const close = world.jobs.find((job) => job.id === 'jobclose');
  if (!group || !close) return world;
  world.backfills = [];
  addBackfills(world, close, 17);
  world.bulks = [];
  addBulks(world, close.id, 120);
  const words = ['send', 'sync', 'import', 'export', 'clean', 'rebuild', 'check', 'archive'];
  const things = [
    'invoices',
    'stock-levels',
    'search-index',
    'sessions',
    'product-feed',
    'mail-queue',
    'audit-trail',
  ];
  const apps = ['billing', 'catalogue', 'warehouse-replenishment-eu-west'].map((name) => {
    const app = makeApp({ name });
    world.apps.push(app);
    const own = makeGroup(app);
    world.groups.push(own);
    for (let i = 1; i <= 4; i++) {
      world.nodes.push(
        makeNode(own, { name: `${name}-${i}`, state: i === 4 ? 'OFFLINE' : 'ONLINE' }),
      );
    }
    return own;
  });
  const groups = [group, ...apps];
  for (let i = 0; i < 130; i++) {
    const home = groups[i % groups.length] ?? group;
    world.jobs.push(
      makeJob(home, {
        name: `${words[i % words.length]}-${things[(i * 3) % things.length]}-${i}`,
        handler: `${things[(i * 3) % things.length]}.${words[i % words.length]}`,
        enabled: i % 11 !== 3,
        invalidReason:
          i === 20 ? 'The zone "Asia/Shangai" does not exist. Use "Asia/Shanghai".' : null,
        nextFireAt: nextOn((1 + (i % 60)) * minute),
        stats: stats(1_440 * (i % 9), i % 5 === 0 ? i : 0, i % 7, i % 3, i, '812ms', '9ms'),
      }),
    );
  }
  world.jobs.push(
    makeJob(group, {
      name: 'a-job-with-a-name-that-is-as-long-as-the-server-allows-because-somebody-generated-it-from-a-class-name-com.example.legacy.batch.Job',
    }),
  );
  for (const job of world.jobs.slice(3, 40)) runs(world, job.id, 12);
  addManyCalendars(world);
  addManyAlerts(world);
  addManyAccounts(world);
  addAudits(world, 10_000);
  lines(world);
  world.servers = [];
  addServers(world, 12);
  addManyFindings(world);
  world.minutes = minutes(180);
  return world;
}

/** Each group in the line of another cause. */
function lines(world: World): void {
  const causes = ['RELEASE_RATE', 'MAX_RUNNING', 'JOB_LIMITS', 'NO_NODES'];
  world.groups.forEach((group, i) => {
    const limitedBy = causes[i % causes.length] ?? null;
    Object.assign(group, {
      maxRunning: limitedBy === 'MAX_RUNNING' ? 12 : null,
      releaseRate: limitedBy === 'RELEASE_RATE' ? 120 : null,
      due: String(1_000_003 * i + 41),
      oldestDueAt: iso(Date.now() - (i + 1) * 700_000),
      drainsIn: limitedBy === 'NO_NODES' ? null : `${i + 1}h${7 * i}m3s`,
      drainsNote:
        limitedBy === 'NO_NODES' ? 'Nothing has been released in the last ten seconds.' : null,
      releasedLastSecond: limitedBy === 'NO_NODES' ? 0 : 118 - i,
      limitedBy,
    });
  });
}

function shop(world: World): GroupRecord {
  const app = makeApp();
  const group = makeGroup(app);
  world.apps.push(app);
  world.groups.push(group);
  world.nodes.push(
    makeNode(group, { name: 'shop-7f9c-1' }),
    makeNode(group, { name: 'shop-7f9c-2', running: 5 }),
    makeNode(group, { name: 'shop-7f9c-3', state: 'SUSPECT' }),
  );
  return group;
}

function runs(world: World, jobId: string, count: number): void {
  const job = world.jobs.find((j) => j.id === jobId);
  const [a, b] = world.nodes;
  if (!job || !a || !b) return;
  for (let i = 0; i < count; i++) {
    const at = Date.now() - (i * 5 + 0.5) * minute;
    const failed = i % 8 === 3;
    const running = i === 0;
    world.tasks.push(
      makeTask(job, {
        state: running ? 'RUNNING' : failed ? 'FAILED' : i % 9 === 5 ? 'SKIPPED' : 'SUCCEEDED',
        scheduledAt: iso(at),
        startedAt: iso(at + 80),
        finishedAt: running ? null : iso(at + 1_400),
        duration: running ? null : `${1 + (i % 5) * 0.37}s`,
        nodeId: (i % 2 ? a : b).id,
        error: failed
          ? 'dial tcp 10.0.4.21:3306: connect: connection refused (after 3 tries, last at 07:20:04.113)'
          : null,
        reason: failed ? 'RETRIES_EXHAUSTED' : i % 9 === 5 ? 'OVERLAP' : null,
      }),
    );
  }
}

function stats(
  succeeded: number,
  failed: number,
  cancelled: number,
  skipped: number,
  retried: number,
  meanDuration: string | null,
  meanDelay: string | null,
) {
  return {
    succeeded: String(succeeded),
    failed: String(failed),
    cancelled: String(cancelled),
    skipped: String(skipped),
    retried: String(retried),
    missed: String(skipped > 0 ? 3 : 0),
    excluded: String(skipped > 0 ? 1 : 0),
    late: String(retried > 0 ? 2 : 0),
    meanDuration,
    meanDelay,
  };
}

function minutes(scale: number): object[] {
  const start = Math.floor(Date.now() / minute) * minute - 59 * minute;
  return Array.from({ length: 60 }, (_, i) => {
    const wave = 1 + Math.sin(i / 6) * 0.6 + (i % 15 === 0 ? 2.5 : 0);
    return {
      at: iso(start + i * minute),
      succeeded: String(Math.round(scale * wave * 4)),
      failed: String(i % 13 === 4 ? Math.max(1, Math.round(scale * 0.6)) : 0),
      retried: String(i % 7 === 2 ? Math.max(1, Math.round(scale * 0.5)) : 0),
      cancelled: String(i === 30 ? 1 : 0),
      skipped: String(i % 20 === 9 ? Math.max(1, Math.round(scale * 0.3)) : 0),
    };
  });
}
