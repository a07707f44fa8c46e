import { makeChannel, makeNote, makePerson } from './alert-records.ts';
import type { World } from './world.ts';

const hour = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();

/** Channels in every state, and what was sent by them and what was not. */
export function addAlerts(world: World): void {
  const now = Date.now();
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
  addNotes(world, ding.id, mail.id, hook.id);
}

function addNotes(world: World, ding: string, mail: string, hook: string): void {
  const now = Date.now();
  world.notes.push(
    makeNote({
      id: 'note1',
      channelId: ding,
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
      kind: 'ESCALATION',
      subject: '[Critical] Nobody acknowledged: reconcile-payments',
      reason: 'Nobody acknowledged within 15m0s.',
      createdAt: iso(now - 3.75 * hour),
      sentAt: iso(now - 3.75 * hour + 900),
    }),
    makeNote({
      channelId: ding,
      state: 'SUPPRESSED',
      reason: 'The rule "payments" sends at most 6 messages an hour to a channel.',
      createdAt: iso(now - hour),
      sentAt: null,
    }),
    makeNote({
      channelId: mail,
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

/** Lists that are longer than a page. */
export function addManyAlerts(world: World): void {
  const now = Date.now();
  const [channel] = world.channels;
  for (let i = 0; i < 10_000; i++) {
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
