import { text } from '@/routes/search';

/** What the address of the list says. */
export interface CalendarsSearch {
  app?: string | undefined;
}

export function readCalendarsSearch(raw: Record<string, unknown>): CalendarsSearch {
  return { app: text(raw, 'app', 64) };
}

/** What the address of one calendar says: the year that is shown. */
export interface CalendarSearch {
  year?: number | undefined;
}

export function readCalendarSearch(raw: Record<string, unknown>): CalendarSearch {
  const year = Number(raw.year);
  return { year: Number.isInteger(year) && year >= 1970 && year <= 2199 ? year : undefined };
}
