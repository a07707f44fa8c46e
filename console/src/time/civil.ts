import { TZDate } from '@date-fns/tz';
import { fullTime } from './format.ts';

// Civil dates are texts, "2026-10-01": a day on a calendar, in no zone.

const dayMs = 86_400_000;

/** Milliseconds of a date's midnight, were the zone UTC: only for counting days. */
function count(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** The date so many days later; negative for earlier. */
export function addDays(date: string, days: number): string {
  return new Date(count(date) + days * dayMs).toISOString().slice(0, 10);
}

/** How many days lie from one date to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((count(to) - count(from)) / dayMs);
}

/** Day of the week, 0 is Monday. */
export function weekdayOf(date: string): number {
  return (new Date(count(date)).getUTCDay() + 6) % 7;
}

/** Whether a text is a date that exists. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = count(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text;
}

/** The date of an instant on the wall clock of a zone. */
export function dateIn(at: Date, zone: string): string {
  return fullTime(at, zone).slice(0, 10);
}

/** The instant at which a date begins in a zone, in milliseconds; where midnight is skipped, the first after it. */
export function startOf(date: string, zone: string): number {
  const [year = 1970, month = 1, day = 1] = date.split('-').map(Number);
  return new TZDate(year, month - 1, day, 0, 0, 0, zone).getTime();
}

/** A date in words of a language: "Thu, 1 Oct 2026". */
export function formatDate(date: string, locale: string, options?: Intl.DateTimeFormatOptions) {
  return new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...options,
  }).format(count(date));
}
