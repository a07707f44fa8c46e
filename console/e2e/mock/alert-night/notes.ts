import { makeNote, type NoteRecord } from '../alert-records.ts';
import type { World } from '../world.ts';
import type { NightChannels } from './channels.ts';
import type { NightRules } from './rules.ts';
import { ago, hour, iso } from './when.ts';

/** Messages that were sent at the second try, suppressed, are queued, and failed for good. */
export function addNotes(world: World, channels: NightChannels, rules: NightRules): void {
  const { ding, mail } = channels;
  const { payments } = rules;
  const now = Date.now();
  world.notes.push(
    makeNote({
      id: 'note1',
      channelId: ding.id,
      ruleId: payments.id,
      incidentIds: ['incnight'],
      subject: '[严重] reconcile-payments 重试 3 次后失败',
      body: 'reconcile-payments 重试 3 次后失败\n自 03:02 起，共 3 次\n第 3 次，节点 shop-7f9c-3：connection refused\n第 2 次，节点 shop-7f9c-2：节点丢失，已被接管\n不再重试，等待处理。\n确认：http://127.0.0.1:7000/alerts/incidents/incnight?do=acknowledge',
      createdAt: ago(4),
      sentAt: iso(now - 4 * hour + 1_400),
      tries: [
        {
          number: 1,
          at: ago(4),
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
      channelId: mail.id,
      ruleId: payments.id,
      kind: 'ESCALATION',
      incidentIds: ['incnight'],
      subject: '[Critical] Nobody acknowledged: reconcile-payments',
      reason: 'Nobody acknowledged within 15m0s.',
      createdAt: ago(3.75),
      sentAt: iso(now - 3.75 * hour + 900),
    }),
    makeNote({
      channelId: ding.id,
      ruleId: payments.id,
      state: 'SUPPRESSED',
      incidentIds: ['incnight'],
      reason: 'The rule "payments" sends at most 6 messages an hour to a channel.',
      createdAt: ago(1),
      sentAt: null,
    }),
    ...untold(channels, rules.all.id),
  );
}

function untold({ mail, hook }: NightChannels, ruleId: string): NoteRecord[] {
  const now = Date.now();
  return [
    makeNote({
      channelId: mail.id,
      ruleId,
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
      channelId: hook.id,
      ruleId,
      severity: 'WARNING',
      state: 'FAILED',
      subject: '[Warning] Node shop-7f9c-3 is offline',
      reason: 'The receiver answered 410 Gone; the channel was switched off.',
      createdAt: ago(55),
      sentAt: null,
      tries: [
        {
          number: 1,
          at: ago(55),
          duration: '31ms',
          status: 410,
          response: 'gone',
          error: 'The receiver answered 410 Gone.',
          nextAt: null,
        },
      ],
    }),
  ];
}
