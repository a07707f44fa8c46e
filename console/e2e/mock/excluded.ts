import { addDays, dateIn, weekdayOf } from '../../src/time/civil.ts';
import type { CalendarRecord } from './calendars.ts';

const weekdayNames = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];
const dayMs = 86_400_000;

/** What a calendar makes of planned fires: the first `count` that stay or are moved, and what became of the others until then. */
export function applyCalendar(
  calendar: CalendarRecord,
  rule: string,
  planned: readonly string[],
  zone: string,
  count: number,
) {
  const atRest = (date: string) => {
    const own = calendar.days.find((day) => day.date === date);
    return own
      ? own.kind === 'REST'
      : calendar.restDays.includes(weekdayNames[weekdayOf(date)] ?? '');
  };
  const fires = new Set<string>();
  const excluded: { at: string; reason: string; message: string; movedTo: string | null }[] = [];
  const restDays = new Map<string, object>();
  for (const at of planned) {
    const date = dateIn(new Date(at), zone);
    if (!atRest(date)) {
      fires.add(at);
      continue;
    }
    const own = calendar.days.find((day) => day.date === date);
    restDays.set(date, own ?? { date, kind: 'REST', name: '' });
    let movedTo: string | null = null;
    const step = rule === 'PREVIOUS_WORKING_DAY' ? -1 : 1;
    for (
      let days = step;
      rule !== 'SKIP' && Math.abs(days) < 30 && movedTo === null;
      days += step
    ) {
      if (!atRest(addDays(date, days))) {
        movedTo = new Date(Date.parse(at) + days * dayMs).toISOString();
      }
    }
    if (movedTo) fires.add(movedTo);
    const name = own?.name ? `"${own.name}"` : 'a rest day';
    const message = `${date} is ${name} in the calendar "${calendar.name}".`;
    excluded.push({ at, reason: 'CALENDAR_REST_DAY', message, movedTo });
  }
  const shown = [...fires].sort().slice(0, count);
  const [first, last] = [planned[0] ?? '', shown.at(-1) ?? ''];
  for (const day of calendar.days) {
    if (day.date >= first.slice(0, 10) && day.date <= last.slice(0, 10))
      restDays.set(day.date, day);
  }
  return {
    fires: shown,
    excluded: excluded.filter(({ at }) => at <= last),
    restDays: [...restDays.values()],
  };
}
