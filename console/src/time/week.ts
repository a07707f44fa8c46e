/** Monday of some week: names of days are formatted from it. */
const monday = Date.UTC(2024, 0, 1);
const day = 86_400_000;

/** Names of the days of the week in a language, Monday first. */
export function weekdayNames(locale: string, style: 'short' | 'long' | 'narrow'): string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, i) => format.format(monday + i * day));
}

/** Names of the months in a language, January first. */
export function monthNames(locale: string, style: 'short' | 'long'): string[] {
  const format = new Intl.DateTimeFormat(locale, { month: style, timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, i) => format.format(Date.UTC(2024, i, 1)));
}
