import { makeReportSchedule } from '../alert-records.ts';
import type { GroupRecord } from '../records.ts';
import type { World } from '../world.ts';
import type { NightChannels } from './channels.ts';
import { ago } from './when.ts';

interface Parts {
  group: GroupRecord;
  me: string;
  channels: NightChannels;
}

/** A morning report of everything, and one of an app that is off. */
export function addSchedules(world: World, { group, me, channels }: Parts): void {
  world.schedules.push(
    makeReportSchedule({
      channels: [channels.ding.id],
      people: [me],
      nextAt: ago(-14),
      lastSentAt: ago(10),
    }),
    makeReportSchedule({
      name: 'shop-weekdays',
      appId: group.appId,
      days: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'],
      zone: 'Europe/Berlin',
      channels: [channels.mail.id],
      enabled: false,
      lastSentAt: null,
      nextAt: null,
    }),
  );
}
