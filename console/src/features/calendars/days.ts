import { addDays, daysBetween, weekdayOf } from '@/time/civil';

export type DayKind = 'REST' | 'WORK';

/** A day that a calendar names. */
export interface NamedDay {
  date: string;
  kind: DayKind;
  name: string;
}

/** Days that follow one another and are alike. */
export interface DayRange {
  from: string;
  to: string;
  kind: DayKind;
  name: string;
}

/** How a day is marked: a kind with a name, or null to leave it to the week. */
export type Mark = { kind: DayKind; name: string } | null;

/** Most days that one mark may span. */
export const longestRange = 366;

/** The list with the days from one date to another marked anew, in order of date. */
export function markDays(
  days: readonly NamedDay[],
  from: string,
  to: string,
  mark: Mark,
): NamedDay[] {
  const rest = days.filter((day) => day.date < from || day.date > to);
  const length = Math.min(longestRange, daysBetween(from, to) + 1);
  const marked = mark
    ? Array.from({ length }, (_, i) => ({ date: addDays(from, i), ...mark }))
    : [];
  return [...rest, ...marked].sort((a, b) => a.date.localeCompare(b.date));
}

/** Joins days that follow one another and are alike; the list need not be in order. */
export function rangesOf(days: readonly NamedDay[]): DayRange[] {
  const ranges: DayRange[] = [];
  for (const day of [...days].sort((a, b) => a.date.localeCompare(b.date))) {
    const last = ranges.at(-1);
    const follows =
      last &&
      last.kind === day.kind &&
      last.name === day.name &&
      daysBetween(last.to, day.date) === 1;
    if (follows) last.to = day.date;
    else ranges.push({ from: day.date, to: day.date, kind: day.kind, name: day.name });
  }
  return ranges;
}

/** A day of the year as it is shown. */
export interface YearDay {
  date: string;
  /** It is a working day in the end. */
  isWork: boolean;
  /** What the calendar says of this very day; null when the week decides. */
  named: NamedDay | null;
  /** A quiet window of certain weekdays begins on it. */
  isQuiet: boolean;
}

export interface Month {
  /** 0 is January. */
  index: number;
  /** Empty places before the first day, whose week begins on Monday. */
  lead: number;
  days: YearDay[];
}

interface CalendarLike {
  days: readonly NamedDay[];
  /** Weekdays at rest, 0 is Monday. */
  restDays: readonly number[];
  /** Weekdays on which a quiet window begins, 0 is Monday. One that begins every day names none and marks none. */
  quietDays: readonly (readonly number[])[];
}

/** The twelve months of a year. Pure. */
export function layOutYear(calendar: CalendarLike, year: number): Month[] {
  const named = new Map(calendar.days.map((day) => [day.date, day]));
  const isQuiet = (weekday: number) => calendar.quietDays.some((days) => days.includes(weekday));
  const dayOf = (date: string): YearDay => {
    const own = named.get(date) ?? null;
    const weekday = weekdayOf(date);
    return {
      date,
      isWork: own ? own.kind === 'WORK' : !calendar.restDays.includes(weekday),
      named: own,
      isQuiet: isQuiet(weekday),
    };
  };
  return Array.from({ length: 12 }, (_, index) => {
    const first = `${year}-${String(index + 1).padStart(2, '0')}-01`;
    const next =
      index === 11 ? `${year + 1}-01-01` : `${year}-${String(index + 2).padStart(2, '0')}-01`;
    const days = Array.from({ length: daysBetween(first, next) }, (_, i) =>
      dayOf(addDays(first, i)),
    );
    return { index, lead: weekdayOf(first), days };
  });
}

/** Where the keys of a calendar lead from a date; null for keys that lead nowhere. */
export function keyTarget(date: string, key: string): string | null {
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -7,
    ArrowDown: 7,
    Home: -weekdayOf(date),
    End: 6 - weekdayOf(date),
  };
  const step = steps[key];
  if (step !== undefined) return addDays(date, step);
  if (key === 'PageUp' || key === 'PageDown')
    return sameDayOfMonth(date, key === 'PageUp' ? -1 : 1);
  return null;
}

function sameDayOfMonth(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last)))
    .toISOString()
    .slice(0, 10);
}
