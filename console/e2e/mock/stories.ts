import { makeAttempt, makeLine, makeTask } from './factories.ts';
import type { JobRecord } from './records.ts';
import type { World } from './world.ts';

const iso = (ms: number) => new Date(ms).toISOString();

/** Tasks with a history to look at: one that runs its third attempt, and one with fifty attempts. */
export function addStories(world: World, job: JobRecord): void {
  running(world, job);
  fifty(world, job);
  stuck(world);
}

/** A node with handlers that do not end, and with slots for single handlers. */
function stuck(world: World): void {
  const node = world.nodes[1];
  if (!node) return;
  const stack = [
    'goroutine 4127 [chan receive, 6 minutes]:',
    'example.com/shop/payments.(*Importer).wait(0xc000412000)',
    '\t/build/payments/importer.go:88 +0x6c',
    'example.com/shop/payments.Reconcile({0x14e2f48, 0xc0003d2000}, 0xc0004a6000, {{0xc000122050, 0xa}})',
    '\t/build/payments/reconcile.go:41 +0x1b4',
    'github.com/belfry-scheduler/belfry/worker-sdk/worker.(*book).call(0xc0001f2000, 0xc0004a6000)',
    '\t/build/vendor/github.com/belfry-scheduler/belfry/worker-sdk/worker/call.go:57 +0x21a',
  ].join('\n');
  Object.assign(node, {
    handlers: ['orders.close', 'payments.reconcile', 'payments.export', 'rates.refresh'],
    stuck: 2,
    lingering: 1,
    stuckAttempts: [
      {
        taskId: '01JDX0STORYFIFTY0000000001',
        attempt: 49,
        handler: 'payments.reconcile',
        since: iso(Date.now() - 372_000),
        cause: 'the time limit has passed',
        stack,
      },
      {
        taskId: '01JDX0STORYGONE00000000001',
        attempt: 1,
        handler: 'rates.refresh',
        since: iso(Date.now() - 21_000),
        cause: '',
        stack: '',
      },
    ],
    handlerSlots: [
      { handlers: ['payments.reconcile'], slots: 1, running: 1 },
      { handlers: ['payments.export', 'rates.refresh'], slots: 4, running: 1 },
    ],
  });
}

function running(world: World, job: JobRecord): void {
  const start = Date.now() - 95_000;
  const at = (seconds: number) => iso(start + seconds * 1_000);
  const node = world.nodes[1];
  const refused = 'dial tcp 10.0.4.21:3306: connect: connection refused';
  const attempts = [
    makeAttempt(1, at(0.4), at(3.1), { availableAt: at(0), state: 'FAILED', error: refused }),
    makeAttempt(2, at(33.6), at(39), { availableAt: at(33), state: 'LOST', error: 'node lost' }),
    makeAttempt(3, at(62), null, { availableAt: at(58), nodeName: node?.name ?? null }),
  ];
  const event = (seconds: number, kind: string, attempt: number | null, message: string) => ({
    at: at(seconds),
    kind,
    attempt,
    message,
    actor: null,
  });
  world.tasks.push(
    makeTask(job, {
      id: '01JDX0STORYRUNNING00000001',
      state: 'RUNNING',
      scheduledAt: at(0),
      startedAt: at(62),
      finishedAt: null,
      deadlineAt: at(150),
      duration: null,
      attempt: 3,
      maxAttempts: 4,
      nodeId: node?.id ?? null,
      parameters: { day: '2026-11-29', banks: ['ICBC', 'BOC'], dryRun: false },
      uniqueKey: 'reconcile-2026-11-29',
      progress: 0.42,
      progressMessage: 'BOC: page 21 of 50',
      attempts,
      timeline: [
        event(0, 'CREATED', null, 'Fired by its schedule.'),
        event(0.4, 'STARTED', 1, 'Attempt 1 began.'),
        event(3.1, 'ATTEMPT_ENDED', 1, `Attempt 1 failed: ${refused}`),
        event(3.1, 'RETRY_SCHEDULED', 2, 'Attempt 2 in 30s.'),
        event(39, 'ATTEMPT_ENDED', 2, 'The node was lost.'),
        event(62, 'STARTED', 3, 'Attempt 3 began.'),
      ],
      truncated: true,
      logs: lines(at),
    }),
  );
}

function lines(at: (seconds: number) => string) {
  const rows: [number, number, string, string, unknown?][] = [
    [1, 0.5, 'INFO', 'reading the statement', { bank: 'ICBC', pages: 50 }],
    [1, 3, 'ERROR', 'dial tcp 10.0.4.21:3306: connect: connection refused', { tries: 3 }],
    [2, 33.7, 'INFO', '\u001b[32mconnected\u001b[0m to \u001b[1mledger-2\u001b[0m'],
    [2, 36, 'WARN', 'the answer took long', { ms: 2_140, host: 'ledger-2', note: 'second try' }],
    [3, 62.1, 'DEBUG', 'resuming at page 12'],
    [3, 63, 'ERROR', 'panic: index out of range\n\tmain.go:12\n\tledger.go:88', { page: 12 }],
    [3, 64, 'INFO', `a line that is long: ${'0123456789 '.repeat(40)}`],
  ];
  const shown = rows.map(([attempt, seconds, level, message, fields], i) =>
    makeLine(attempt * 1_000_000 + i * 2, {
      at: at(seconds),
      attempt,
      level,
      message,
      fields: fields ?? null,
    }),
  );
  const many = Array.from({ length: 4_000 }, (_, i) =>
    makeLine(3_000_100 + i, {
      at: at(65 + i / 200),
      attempt: 3,
      message: `matched payment ${20_000 + i}`,
      fields: { amount: 100 + i },
    }),
  );
  return [...shown, ...many];
}

function fifty(world: World, job: JobRecord): void {
  const start = Date.now() - 3 * 86_400_000;
  const attempts = Array.from({ length: 50 }, (_, i) => {
    const at = start + i * i * 100_000;
    return makeAttempt(i + 1, iso(at + 20_000), iso(at + 20_000 + (i % 7) * 9_000), {
      availableAt: iso(at),
      state: i % 9 === 4 ? 'TIMED_OUT' : 'FAILED',
      error: 'dial tcp 10.0.4.21:3306: connect: connection refused',
    });
  });
  world.tasks.push(
    makeTask(job, {
      id: '01JDX0STORYFIFTY0000000001',
      state: 'FAILED',
      scheduledAt: iso(start),
      startedAt: iso(start + 49 * 49 * 100_000),
      finishedAt: iso(start + 49 * 49 * 100_000 + 20_000),
      attempt: 50,
      maxAttempts: 50,
      error: `connection refused\n\n${'goroutine 17 [running]:\n\tmain.go:12\n'.repeat(8)}`,
      reason: 'RETRIES_EXHAUSTED',
      attempts,
    }),
  );
}
