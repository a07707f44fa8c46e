import {
  type EntryRecord,
  type IncidentRecord,
  makeEntry,
  makeIncident,
} from '../alert-records.ts';
import type { GroupRecord, JobRecord, NodeRecord } from '../records.ts';
import type { World } from '../world.ts';
import type { NightRules } from './rules.ts';
import { ago, refused } from './when.ts';

interface Parts {
  nightly: JobRecord;
  close: JobRecord;
  group: GroupRecord;
  away: NodeRecord;
  taskId: string;
  silenceId: string;
  rules: NightRules;
}

/** One incident of every state: with a history, silenced, acknowledged, flapping and resolved. */
export function addIncidents(world: World, parts: Parts): void {
  const { nightly, group, away, taskId, silenceId } = parts;
  const { payments, nodes } = parts.rules;
  world.incidents.push(
    makeIncident({
      id: 'incnight',
      title: 'reconcile-payments failed after 3 attempts',
      ruleId: payments.id,
      jobId: nightly.id,
      openedAt: ago(4),
      lastAt: ago(0.4),
      count: '3',
      lastTaskId: taskId,
      lastError: `${refused} (after 3 tries, last at 07:20:04.113)`,
      entries: history(taskId),
    }),
    makeIncident({
      id: 'incqueue',
      title: '18,240 tasks are due in shop / default, the oldest for 1m36s',
      ruleId: nodes.id,
      event: 'QUEUE_BACKLOG',
      severity: 'WARNING',
      groupId: group.id,
      silenceId,
      openedAt: ago(1.2),
      lastAt: ago(1 / 60),
      count: '1',
    }),
    makeIncident({
      title: 'Node shop-7f9c-3 is offline',
      ruleId: nodes.id,
      event: 'NODE_OFFLINE',
      severity: 'WARNING',
      state: 'ACKNOWLEDGED',
      acknowledgedAt: ago(0.8),
      acknowledgedBy: 'han.meimei',
      groupId: group.id,
      nodeId: away.id,
      openedAt: ago(1),
      lastAt: ago(1),
      count: '1',
    }),
    ...others(parts),
  );
}

function history(taskId: string): EntryRecord[] {
  return [
    makeEntry('OPENED', {
      at: ago(4),
      message: 'The task failed after 3 attempts.',
      taskId,
      attempt: 3,
      node: 'shop-7f9c-3',
    }),
    makeEntry('NOTIFIED', {
      at: ago(3.999),
      message: 'ops-dingtalk, at once.',
    }),
    makeEntry('ESCALATED', {
      at: ago(3.75),
      message: 'Nobody acknowledged within 15m: team-mail and ops-dingtalk were told.',
    }),
    makeEntry('EVENT', {
      at: ago(2),
      message: 'It failed again.',
      node: 'shop-7f9c-1',
    }),
    makeEntry('COMMENT', {
      at: ago(1.5),
      message: 'The bank moved its endpoint; asked them for the new one.',
      actor: 'li.lei',
    }),
    makeEntry('SUPPRESSED', {
      at: ago(1),
      message: 'At most 6 messages an hour.',
    }),
  ];
}

function others({ close, rules }: Parts): IncidentRecord[] {
  return [
    makeIncident({
      title: 'close-unpaid-orders fails now and then',
      ruleId: rules.all.id,
      event: 'ATTEMPT_FAILED',
      severity: 'INFO',
      flapping: true,
      jobId: close.id,
      openedAt: ago(9),
      lastAt: ago(0.1),
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
      openedAt: ago(30),
      lastAt: ago(29.6),
      resolvedAt: ago(29.6),
      resolution: 'Redis answers again.',
      downtime: '24m10s',
      count: '4',
    }),
  ];
}
