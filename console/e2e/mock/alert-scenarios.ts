import {
  makeChannel,
  makeCondition,
  makeEntry,
  makeIncident,
  makeNote,
  makePerson,
  makeReportSchedule,
  makeRule,
  makeSilence,
} from './alert-records.ts';
import { type JobRecord, makeAttempt, makeTask } from './factories.ts';
import type { World } from './world.ts';

const hour = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();
const refused = 'dial tcp 10.0.4.21:3306: connect: connection refused';

/** A night with alerts: channels, rules, incidents of every kind, what was sent and what was not. */
export function addAlerts(world: World, nightly: JobRecord, close: JobRecord): void {
  const now = Date.now();
  const [group] = world.groups;
  const [, , away] = world.nodes;
  if (!group || !away) return;
  const me = makePerson('admin');
  Object.assign(me.contacts, { email: 'admin@example.com', mobile: '13800138000' });
  world.people.push(me, makePerson('li.lei'), makePerson('han.meimei'));
  const ding = makeChannel({
    id: 'chanding',
    name: 'ops-dingtalk',
    kind: 'DINGTALK',
    language: 'zh-CN',
    perMinute: 20,
    burst: 5,
    settings: { url: '(hidden)', secret: '(hidden)', mentionMobiles: ['13800138000'] },
    lastSentAt: iso(now - 0.4 * hour),
    queued: '2',
  });
  const hook = makeChannel({
    id: 'chanhook',
    name: 'status-page',
    enabled: false,
    disabledReason: 'The receiver answered 410 Gone: the address was given up.',
    lastError: 'The receiver answered 410 Gone.',
    lastSentAt: iso(now - 60 * hour),
  });
  const mail = makeChannel({
    id: 'chanmail',
    name: 'team-mail',
    kind: 'EMAIL',
    lastSentAt: iso(now - 5 * hour),
    settings: {
      host: 'smtp.example.com',
      port: 587,
      security: 'STARTTLS',
      username: 'belfry',
      password: '(hidden)',
      from: 'belfry@example.com',
      to: ['ops@example.com', 'payments@example.com'],
    },
  });
  world.channels.push(ding, mail, hook);
  const payments = makeRule({
    id: 'rulepay',
    name: 'payments',
    description: 'Money is at stake: at night it wakes whoever is on duty.',
    scope: { kind: 'JOB', jobId: nightly.id },
    conditions: [
      makeCondition('RETRIES_EXHAUSTED'),
      makeCondition('NOT_FINISHED_BY', { by: '06:30' }),
      makeCondition('RUN_TOO_LONG', { longerThan: '30m0s', factor: 2 }),
    ],
    windows: [
      { days: ['SATURDAY', 'SUNDAY'], from: '08:00', to: '22:00', severity: 'INFO' },
      { days: [], from: '22:00', to: '08:00', severity: 'CRITICAL' },
    ],
    routes: [
      { severities: ['CRITICAL'], channels: [ding.id], people: [me.id], digestAt: [] },
      {
        severities: ['WARNING', 'INFO'],
        channels: [mail.id],
        people: [],
        digestAt: ['12:00', '18:00'],
      },
    ],
    escalation: { after: '15m0s', channels: [ding.id, mail.id], people: [me.id] },
    repeatEvery: '1h0m0s',
    maxPerHour: 6,
  });
  const all = makeRule({
    name: 'everything-else',
    conditions: [makeCondition('ATTEMPT_FAILED', { count: 3, of: 5 })],
    windows: [],
    routes: [{ severities: ['WARNING', 'CRITICAL'], channels: [], people: [], digestAt: [] }],
  });
  const nodes = makeRule({
    name: 'nodes-and-queues',
    enabled: false,
    scope: { kind: 'APP', appId: group.appId },
    conditions: [
      makeCondition('NODE_OFFLINE', { longerThan: '5m0s' }),
      makeCondition('QUEUE_BACKLOG', { depth: '10000', age: '10m0s' }),
    ],
  });
  world.rules.push(payments, all, nodes);
  const task = makeTask(nightly, {
    id: '01JDX0ALERTTASK0000000000A',
    state: 'FAILED',
    scheduledAt: iso(now - 4 * hour),
    attempt: 3,
    maxAttempts: 4,
    error: refused,
    attempts: [1, 2, 3].map((number) =>
      makeAttempt(
        number,
        iso(now - 4 * hour + number * 60_000),
        iso(now - 4 * hour + number * 60_000 + 1_400),
        {
          state: number === 2 ? 'LOST' : 'FAILED',
          nodeName: `shop-7f9c-${number}`,
          error: number === 2 ? 'The node went away.' : refused,
        },
      ),
    ),
  });
  world.tasks.push(task);
  const silence = makeSilence({
    scope: { kind: 'GROUP', groupId: group.id },
    startsAt: iso(now - hour),
    endsAt: iso(now + 3 * hour),
    activeUntil: iso(now + 3 * hour),
  });
  world.silences.push(
    silence,
    makeSilence({
      kind: 'MAINTENANCE',
      reason: 'The database is patched on the first Sunday',
      scope: { kind: 'ALL' },
      endsAt: null,
      active: false,
      activeUntil: null,
      recurrence: { days: ['SUNDAY'], from: '02:00', to: '04:00', zone: 'Asia/Shanghai' },
      suppressed: '41',
    }),
    makeSilence({
      reason: 'Migration of the stock service',
      scope: { kind: 'LABELS', labels: { team: 'payments' } },
      startsAt: iso(now - 50 * hour),
      endsAt: iso(now - 46 * hour),
      active: false,
      activeUntil: null,
      suppressed: '0',
    }),
  );
  addIncidents(world, {
    nightly,
    close,
    taskId: task.id,
    silenceId: silence.id,
    rules: [payments.id, all.id, nodes.id],
  });
  addNotes(world, { channels: [ding.id, mail.id, hook.id], rules: [payments.id, all.id] });
  world.schedules.push(
    makeReportSchedule({
      channels: [ding.id],
      people: [me.id],
      nextAt: iso(now + 14 * hour),
      lastSentAt: iso(now - 10 * hour),
    }),
    makeReportSchedule({
      name: 'shop-weekdays',
      appId: group.appId,
      days: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'],
      zone: 'Europe/Berlin',
      channels: [mail.id],
      enabled: false,
      lastSentAt: null,
      nextAt: null,
    }),
  );
  world.trial = trial(now);
}

interface Parts {
  nightly: JobRecord;
  close: JobRecord;
  taskId: string;
  silenceId: string;
  rules: [string, string, string];
}

function addIncidents(world: World, { nightly, close, taskId, silenceId, rules }: Parts): void {
  const now = Date.now();
  const [payments, all, nodes] = rules;
  const [group] = world.groups;
  const [, , away] = world.nodes;
  world.incidents.push(
    makeIncident({
      id: 'incnight',
      title: 'reconcile-payments failed after 3 attempts',
      ruleId: payments,
      jobId: nightly.id,
      openedAt: iso(now - 4 * hour),
      lastAt: iso(now - 0.4 * hour),
      count: '3',
      lastTaskId: taskId,
      lastError: `${refused} (after 3 tries, last at 07:20:04.113)`,
      entries: [
        makeEntry('OPENED', {
          at: iso(now - 4 * hour),
          message: 'The task failed after 3 attempts.',
          taskId,
          attempt: 3,
          node: 'shop-7f9c-3',
        }),
        makeEntry('NOTIFIED', {
          at: iso(now - 4 * hour + 2_000),
          message: 'ops-dingtalk, at once.',
        }),
        makeEntry('ESCALATED', {
          at: iso(now - 3.75 * hour),
          message: 'Nobody acknowledged within 15m: team-mail and ops-dingtalk were told.',
        }),
        makeEntry('EVENT', {
          at: iso(now - 2 * hour),
          message: 'It failed again.',
          node: 'shop-7f9c-1',
        }),
        makeEntry('COMMENT', {
          at: iso(now - 1.5 * hour),
          message: 'The bank moved its endpoint; asked them for the new one.',
          actor: 'li.lei',
        }),
        makeEntry('SUPPRESSED', {
          at: iso(now - hour),
          message: 'Not told: at most 6 messages an hour.',
        }),
      ],
    }),
    makeIncident({
      id: 'incqueue',
      title: '18,240 tasks are due in shop / default, the oldest for 1m36s',
      ruleId: nodes,
      event: 'QUEUE_BACKLOG',
      severity: 'WARNING',
      groupId: group?.id ?? null,
      silenceId,
      openedAt: iso(now - 1.2 * hour),
      lastAt: iso(now - 60_000),
      count: '1',
    }),
    makeIncident({
      title: 'Node shop-7f9c-3 is offline',
      ruleId: nodes,
      event: 'NODE_OFFLINE',
      severity: 'WARNING',
      state: 'ACKNOWLEDGED',
      acknowledgedAt: iso(now - 0.8 * hour),
      acknowledgedBy: 'han.meimei',
      groupId: group?.id ?? null,
      nodeId: away?.id ?? null,
      openedAt: iso(now - hour),
      lastAt: iso(now - hour),
      count: '1',
    }),
    makeIncident({
      title: 'close-unpaid-orders fails now and then',
      ruleId: all,
      event: 'ATTEMPT_FAILED',
      severity: 'INFO',
      flapping: true,
      jobId: close.id,
      openedAt: iso(now - 9 * hour),
      lastAt: iso(now - 0.1 * hour),
      count: '1284',
      lastError: 'context deadline exceeded',
    }),
    makeIncident({
      title: 'Redis does not answer belfry-2.internal:7000',
      ruleId: null,
      event: 'REDIS_DEGRADED',
      severity: 'WARNING',
      state: 'RESOLVED',
      server: 'belfry-2.internal:7000',
      openedAt: iso(now - 30 * hour),
      lastAt: iso(now - 29.6 * hour),
      resolvedAt: iso(now - 29.6 * hour),
      resolution: 'Redis answers again.',
      downtime: '24m10s',
      count: '4',
    }),
  );
}

function addNotes(
  world: World,
  ids: { channels: [string, string, string]; rules: [string, string] },
): void {
  const now = Date.now();
  const [ding, mail, hook] = ids.channels;
  const [payments, all] = ids.rules;
  world.notes.push(
    makeNote({
      id: 'note1',
      channelId: ding,
      ruleId: payments,
      incidentIds: ['incnight'],
      subject: '[严重] reconcile-payments 重试 3 次后失败',
      body: 'reconcile-payments 重试 3 次后失败\n自 03:02 起，共 3 次\n第 3 次，节点 shop-7f9c-3：connection refused\n第 2 次，节点 shop-7f9c-2：节点丢失，已被接管\n不再重试，等待处理。\n确认：http://127.0.0.1:7000/alerts/incidents/incnight?do=acknowledge',
      createdAt: iso(now - 4 * hour),
      sentAt: iso(now - 4 * hour + 1_400),
      tries: [
        {
          number: 1,
          at: iso(now - 4 * hour),
          duration: '5s',
          status: null,
          response: null,
          error: 'The receiver did not answer within 5s.',
          nextAt: iso(now - 4 * hour + 1_000),
        },
        {
          number: 2,
          at: iso(now - 4 * hour + 1_000),
          duration: '84ms',
          status: 200,
          response: '{"errcode":0,"errmsg":"ok"}',
          error: null,
          nextAt: null,
        },
      ],
    }),
    makeNote({
      channelId: mail,
      ruleId: payments,
      kind: 'ESCALATION',
      incidentIds: ['incnight'],
      subject: '[Critical] Nobody acknowledged: reconcile-payments',
      reason: 'Nobody acknowledged within 15m0s.',
      createdAt: iso(now - 3.75 * hour),
      sentAt: iso(now - 3.75 * hour + 900),
    }),
    makeNote({
      channelId: ding,
      ruleId: payments,
      state: 'SUPPRESSED',
      incidentIds: ['incnight'],
      reason: 'The rule "payments" sends at most 6 messages an hour to a channel.',
      createdAt: iso(now - hour),
      sentAt: null,
    }),
    makeNote({
      channelId: mail,
      ruleId: all,
      kind: 'DIGEST',
      severity: 'WARNING',
      state: 'QUEUED',
      problems: 14,
      subject: '14 problems since 12:00',
      reason: 'The rule "everything-else" sends warnings in digests.',
      createdAt: iso(now - 60_000),
      sentAt: null,
      nextAt: iso(now + 90_000),
    }),
    makeNote({
      channelId: hook,
      ruleId: all,
      severity: 'WARNING',
      state: 'FAILED',
      subject: '[Warning] Node shop-7f9c-3 is offline',
      reason: 'The receiver answered 410 Gone; the channel was switched off.',
      createdAt: iso(now - 55 * hour),
      sentAt: null,
      tries: [
        {
          number: 1,
          at: iso(now - 55 * hour),
          duration: '31ms',
          status: 410,
          response: 'gone',
          error: 'The receiver answered 410 Gone.',
          nextAt: null,
        },
      ],
    }),
  );
}

function trial(now: number): object {
  const entry = (hoursAgo: number, over: object) => ({
    at: iso(now - hoursAgo * hour),
    channel: 'ops-dingtalk',
    severity: 'CRITICAL',
    digest: false,
    sent: true,
    title: 'reconcile-payments failed after 3 attempts',
    problems: 1,
    ...over,
  });
  return {
    events: '1298',
    incidents: 6,
    messages: 9,
    suppressed: 2,
    coveredFrom: iso(now - 7 * 24 * hour),
    entries: [
      entry(150, {}),
      entry(149, { title: 'Nobody acknowledged: reconcile-payments', channel: 'team-mail' }),
      entry(124, {
        channel: 'team-mail',
        severity: 'WARNING',
        digest: true,
        title: '4 problems',
        problems: 4,
      }),
      entry(76, {
        channel: 'team-mail',
        severity: 'INFO',
        digest: true,
        title: 'close-unpaid-orders fails now and then',
      }),
      entry(4, {}),
    ],
    error: null,
  };
}

/** Ten thousand incidents, and lists of everything else that are longer than a page. */
export function addManyAlerts(world: World): void {
  const now = Date.now();
  const severities = ['WARNING', 'CRITICAL', 'INFO'];
  const [channel] = world.channels;
  for (let i = 0; i < 10_000; i++) {
    const job = world.jobs[i % world.jobs.length];
    world.incidents.push(
      makeIncident({
        title: `${job?.name} failed after ${1 + (i % 5)} attempts`,
        ruleId: world.rules[i % world.rules.length]?.id ?? null,
        severity: severities[i % 3] ?? 'INFO',
        state: i % 4 === 1 ? 'ACKNOWLEDGED' : 'OPEN',
        acknowledgedBy: i % 4 === 1 ? 'li.lei' : null,
        jobId: job?.id ?? null,
        openedAt: iso(now - (5 + i) * 60_000),
        lastAt: iso(now - i * 60_000),
        count: String(1 + i * 7),
        lastError: i % 3 === 0 ? refused.repeat(1 + (i % 4)) : null,
      }),
    );
  }
  for (let i = 0; i < 300; i++) {
    world.rules.push(
      makeRule({
        name: `rule-of-team-${i}`,
        scope: { kind: 'LABELS', labels: { team: `team-${i}`, tier: '1' } },
      }),
    );
    world.silences.push(makeSilence({ reason: `Work on rack ${i}`, active: i % 2 === 0 }));
    world.notes.push(
      makeNote({
        channelId: channel?.id ?? null,
        createdAt: iso(now - i * 90_000),
        state: (['SENT', 'QUEUED', 'FAILED', 'SUPPRESSED', 'DROPPED'] as const)[i % 5] ?? 'SENT',
      }),
    );
  }
  for (let i = 0; i < 40; i++) world.channels.push(makeChannel({ name: `hook-of-team-${i}` }));
}
