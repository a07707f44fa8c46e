/** Days of the week in the order people plan in, Monday first. */
export const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
export type Weekday = (typeof weekdays)[number];

export type Dialect = 'unix' | 'quartz';

const sundayFirst = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;

/**
 * A day as an expression names it: by its English name, or by number, where unix counts Sunday
 * as 0 or 7 and quartz as 1. Undefined for anything else.
 */
export function readDay(text: string, dialect: Dialect): Weekday | undefined {
  const named = weekdays.find((day) => day === text.toUpperCase());
  if (named || !/^\d$/.test(text)) return named;
  const number = Number(text);
  if (dialect === 'quartz') return sundayFirst[number - 1];
  return number === 7 ? 'SUN' : sundayFirst[number];
}

/** The days of a list such as MON-FRI,SUN; null when it is none, has steps, or leaves a day out of order. */
export function readDays(text: string, dialect: Dialect): Weekday[] | null {
  const found = new Set<Weekday>();
  for (const part of text.split(',')) {
    const [from = '', to = from, ...rest] = part.split('-');
    const first = readDay(from, dialect);
    const last = readDay(to, dialect);
    if (!first || !last || rest.length > 0) return null;
    // Ranges run forward and, in quartz, over the end of the week; unix refuses those: the server says so.
    const start = weekdays.indexOf(first);
    const length = (weekdays.indexOf(last) - start + 7) % 7;
    for (let i = 0; i <= length; i++) {
      const day = weekdays[(start + i) % 7];
      if (day) found.add(day);
    }
  }
  return weekdays.filter((day) => found.has(day));
}

/**
 * Writes days by name, which means the same in both dialects. Sunday stands alone: a five-field
 * range that ends with it is refused, because there it is also the first day.
 */
export function writeDays(days: readonly Weekday[]): string {
  const runs: Weekday[][] = [];
  for (const [i, day] of weekdays.entries()) {
    if (!days.includes(day)) continue;
    const last = runs.at(-1);
    const before = weekdays[i - 1];
    if (last && day !== 'SUN' && before && last.at(-1) === before) last.push(day);
    else runs.push([day]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(','))).join(',');
}
