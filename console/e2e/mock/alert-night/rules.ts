import { makeCondition, makeRule, type RuleRecord } from '../alert-records.ts';
import type { GroupRecord, JobRecord } from '../records.ts';
import type { World } from '../world.ts';
import type { NightChannels } from './channels.ts';

interface Parts {
  nightly: JobRecord;
  group: GroupRecord;
  me: string;
  channels: NightChannels;
}
export interface NightRules {
  payments: RuleRecord;
  all: RuleRecord;
  nodes: RuleRecord;
}

/** A rule with everything a rule can have, one with little, and one that is off. */
export function addRules(world: World, { nightly, group, me, channels }: Parts): NightRules {
  const { ding, mail } = channels;
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
      { severities: ['CRITICAL'], channels: [ding.id], people: [me], digestAt: [] },
      {
        severities: ['WARNING', 'INFO'],
        channels: [mail.id],
        people: [],
        digestAt: ['12:00', '18:00'],
      },
    ],
    escalation: { after: '15m0s', channels: [ding.id, mail.id], people: [me] },
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
      makeCondition('NODE_OFFLINE', {}),
      makeCondition('QUEUE_BACKLOG', { depth: '10000', age: '10m0s' }),
    ],
  });
  world.rules.push(payments, all, nodes);
  return { payments, all, nodes };
}
