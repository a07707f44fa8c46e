import { makeSilence, type SilenceRecord } from '../alert-records.ts';
import type { GroupRecord } from '../records.ts';
import type { World } from '../world.ts';
import { ago } from './when.ts';

/** A silence that holds, a maintenance window that comes back, and one that is over. Gives the first. */
export function addSilences(world: World, group: GroupRecord): SilenceRecord {
  const silence = makeSilence({
    scope: { kind: 'GROUP', groupId: group.id },
    startsAt: ago(1),
    endsAt: ago(-3),
    activeUntil: ago(-3),
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
      startsAt: ago(50),
      endsAt: ago(46),
      active: false,
      activeUntil: null,
      suppressed: '0',
    }),
  );
  return silence;
}
