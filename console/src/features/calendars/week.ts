import { type Weekday, weekdayValues } from '@/graphql/generated/enums';
import { listMark } from '@/i18n/locale';

/** Positions of the server's weekdays, 0 is Monday. */
export function positionsOf(days: readonly Weekday[]): number[] {
  return days.map((day) => weekdayValues.indexOf(day)).sort();
}

/** The server's weekdays at these positions. */
export function weekdaysAt(positions: readonly number[]): Weekday[] {
  return weekdayValues.filter((_, i) => positions.includes(i));
}

/** "Mon–Fri, Sun" with the names given, Monday first; runs of three or more are joined. */
export function weekText(
  days: readonly Weekday[],
  names: readonly string[],
  language: string,
): string {
  const mark = listMark(language);
  const runs: number[][] = [];
  for (const at of positionsOf(days)) {
    const last = runs.at(-1);
    if (last && last.at(-1) === at - 1) last.push(at);
    else runs.push([at]);
  }
  return runs
    .map((run) => {
      const words = run.map((at) => names[at] ?? '');
      return run.length > 2 ? `${words[0]}–${words.at(-1)}` : words.join(mark);
    })
    .join(mark);
}
