import { addDays } from '../../src/time/civil.ts';
import { type DayRecord, makeCalendar } from './calendars.ts';
import { need } from './queries.ts';
import type { JobRecord } from './records.ts';
import type { World } from './world.ts';

const span = (from: string, days: number, kind: string, name: string): DayRecord[] =>
  Array.from({ length: days }, (_, i) => ({ date: addDays(from, i), kind, name }));

/** A calendar with a year in it, and a job that goes by it. */
export function addCalendars(world: World, nightly: JobRecord): void {
  const group = need(world.groups, nightly.groupId);
  const app = need(world.apps, group.appId);
  const year = world.now().getUTCFullYear();
  const soon = addDays(world.now().toISOString().slice(0, 10), 3);
  const calendar = makeCalendar(app, {
    days: [
      ...span(`${year}-01-01`, 3, 'REST', '元旦'),
      ...span(`${year}-02-15`, 9, 'REST', '春节'),
      ...span(`${year}-02-14`, 1, 'WORK', '调休上班'),
      ...span(`${year}-05-01`, 5, 'REST', 'Labour Day'),
      ...span(`${year}-10-01`, 7, 'REST', 'National Day'),
      ...span(`${year}-10-10`, 1, 'WORK', 'Make-up day'),
      ...span(soon, 2, 'REST', 'Stocktaking'),
    ],
    quietWindows: [
      { days: ['FRIDAY'], from: '22:00', to: '06:00', rule: 'DELAY' },
      { days: [], from: '12:00', to: '13:00', rule: 'SKIP' },
    ],
  });
  world.calendars.push(calendar, makeCalendar(app, { name: 'plain', description: '' }));
  nightly.trigger = { ...nightly.trigger, calendar: calendar.name };
}

export function addManyCalendars(world: World): void {
  for (const app of world.apps) {
    for (let i = 1; i <= 9; i++) {
      world.calendars.push(
        makeCalendar(app, {
          name: `region-${i}${i === 9 ? '-with-a-name-that-somebody-generated-from-a-class-name' : ''}`,
          restDays: i % 3 === 0 ? [] : ['FRIDAY', 'SATURDAY'],
        }),
      );
    }
  }
}
