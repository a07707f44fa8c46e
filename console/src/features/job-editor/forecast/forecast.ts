import { addDays, startOf, weekdayOf } from '@/time/civil';

/** What the server says of the time to come; instants in RFC 3339, dates as 2026-10-01. */
export interface ForecastInput {
  fires: readonly string[];
  /** There may be more fires after the last: nothing is known of the time behind it. */
  isCut: boolean;
  clockChanges: readonly ClockChange[];
  /** Dated days of the calendar. */
  restDays: readonly NamedDay[];
  /** Days of the week that are at rest unless dated otherwise, 0 is Monday. */
  restWeekdays: readonly number[];
  excluded: readonly ExcludedFire[];
}

export interface ClockChange {
  at: string;
  /** Seconds east of UTC. */
  offsetBefore: number;
  offsetAfter: number;
}

/** A day that a calendar speaks of: at rest, or a working day in place of one. */
export interface NamedDay {
  date: string;
  kind: 'REST' | 'WORK';
  name: string;
}

export interface ExcludedFire {
  at: string;
  reason: string;
  message: string;
  /** Where it was put off to; null when it is left out. */
  movedTo: string | null;
}

/** Fires of one day that do not happen as planned, for one reason. */
export interface Exclusion {
  /** First and last of them, milliseconds. */
  from: number;
  to: number;
  count: number;
  isMoved: boolean;
  message: string;
}

/** One day on the job's clock; instants in milliseconds. */
export interface ForecastDay {
  date: string;
  start: number;
  end: number;
  fires: number[];
  exclusions: Exclusion[];
  clockChange: ClockChange | null;
  named: NamedDay | null;
  /** Up to here the fires are known; `end` when all of the day's are. */
  knownUntil: number;
}

/** Sorts what is known into `count` days of a zone, beginning with the date `first`. Pure. */
export function layOutDays(
  input: ForecastInput,
  zone: string,
  first: string,
  count: number,
): ForecastDay[] {
  const lastFire = input.fires.at(-1);
  const knownUntil = input.isCut && lastFire ? Date.parse(lastFire) : Number.POSITIVE_INFINITY;
  const days = Array.from({ length: count }, (_, i): ForecastDay => {
    const date = addDays(first, i);
    const start = startOf(date, zone);
    const end = startOf(addDays(date, 1), zone);
    return {
      date,
      start,
      end,
      fires: [],
      exclusions: [],
      clockChange: null,
      named: namedDay(input, date),
      knownUntil: Math.max(start, Math.min(end, knownUntil)),
    };
  });
  const dayOf = (at: number) => days.find((day) => at >= day.start && at < day.end);
  for (const fire of input.fires) {
    const at = Date.parse(fire);
    dayOf(at)?.fires.push(at);
  }
  for (const change of input.clockChanges) {
    const day = dayOf(Date.parse(change.at));
    if (day) day.clockChange = change;
  }
  for (const excluded of input.excluded) exclude(dayOf(Date.parse(excluded.at)), excluded);
  return days;
}

function namedDay(input: ForecastInput, date: string): NamedDay | null {
  const dated = input.restDays.find((day) => day.date === date);
  if (dated) return dated;
  return input.restWeekdays.includes(weekdayOf(date)) ? { date, kind: 'REST', name: '' } : null;
}

// A job that fires each minute has hundreds of fires on a holiday: one mark for all of them.
function exclude(day: ForecastDay | undefined, fire: ExcludedFire): void {
  if (!day) return;
  const at = Date.parse(fire.at);
  const isMoved = fire.movedTo !== null;
  const same = day.exclusions.find((e) => e.isMoved === isMoved && e.message === fire.message);
  if (same) {
    same.from = Math.min(same.from, at);
    same.to = Math.max(same.to, at);
    same.count++;
  } else day.exclusions.push({ from: at, to: at, count: 1, isMoved, message: fire.message });
}

/** Where an instant lies in its day, in percent of the day's length. */
export function percentOf(day: ForecastDay, at: number): number {
  const share = (at - day.start) / (day.end - day.start);
  return 100 * Math.min(1, Math.max(0, share));
}

export const zooms = ['day', 'week', 'weeks'] as const;
export type Zoom = (typeof zooms)[number];
export const daysOf: Record<Zoom, number> = { day: 1, week: 7, weeks: 42 };
/** How far ahead the strip reaches, in days from today. */
export const reach = 42;

/** The zoom in which the next fires are told apart and yet seen together. */
export function fittingZoom(fires: readonly string[], now: Date): Zoom {
  const some = fires[Math.min(fires.length, 6) - 1];
  if (!some) return 'week';
  const hours = (Date.parse(some) - now.getTime()) / 3_600_000;
  if (hours <= 12) return 'day';
  return hours <= 7 * 24 ? 'week' : 'weeks';
}

/** The first date that a zoom shows when `at` is the date looked at: six weeks begin on today's Monday. */
export function firstDate(zoom: Zoom, at: string, today: string): string {
  return zoom === 'weeks' ? addDays(today, -weekdayOf(today)) : at;
}
