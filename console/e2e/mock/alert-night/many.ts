import { makeChannel, makeIncident, makeNote, makeRule, makeSilence } from '../alert-records.ts';
import type { World } from '../world.ts';
import { iso, refused } from './when.ts';

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
