import { type ChannelRecord, makeChannel } from '../alert-records.ts';
import type { World } from '../world.ts';
import { ago } from './when.ts';

export interface NightChannels {
  ding: ChannelRecord;
  mail: ChannelRecord;
  hook: ChannelRecord;
}

/** A chat, a mailbox, and a webhook that was switched off because its address is gone. */
export function addChannels(world: World): NightChannels {
  const ding = makeChannel({
    id: 'chanding',
    name: 'ops-dingtalk',
    kind: 'DINGTALK',
    language: 'zh-CN',
    perMinute: 20,
    burst: 5,
    settings: { url: '(hidden)', secret: '(hidden)', mentionMobiles: ['13800138000'] },
    lastSentAt: ago(0.4),
    queued: '2',
  });
  const hook = makeChannel({
    id: 'chanhook',
    name: 'status-page',
    enabled: false,
    disabledReason: 'The receiver answered 410 Gone: the address was given up.',
    lastError: 'The receiver answered 410 Gone.',
    lastSentAt: ago(60),
  });
  const mail = makeChannel({
    id: 'chanmail',
    name: 'team-mail',
    kind: 'EMAIL',
    lastSentAt: ago(5),
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
  return { ding, mail, hook };
}
