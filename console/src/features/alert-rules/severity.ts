import type { AlertSeverity } from '@/graphql/generated/enums';

/** A time of day with a severity of its own; days from 0, Monday; none means every day. */
export interface Window {
  days: readonly number[];
  from: string;
  to: string;
  severity: AlertSeverity;
}

export const minutesOfDay = 1_440;

/** Minutes since midnight of "22:30"; null for what is no time of day. */
export function minuteOf(clock: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(clock);
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
}

/** Whether a window holds on a day at a minute; one that does not end after it begins runs over midnight. */
function holds(window: Window, day: number, minute: number): boolean {
  const from = minuteOf(window.from);
  const to = minuteOf(window.to);
  if (from === null || to === null) return false;
  const begins = (d: number) => window.days.length === 0 || window.days.includes((d + 7) % 7);
  if (from < to) return begins(day) && minute >= from && minute < to;
  return (begins(day) && minute >= from) || (begins(day - 1) && minute < to);
}

/** The severity at a minute of a day: that of the first window that holds, else the rule's own. */
export function severityAt(
  windows: readonly Window[],
  base: AlertSeverity,
  day: number,
  minute: number,
): AlertSeverity {
  return windows.find((window) => holds(window, day, minute))?.severity ?? base;
}

export interface Stretch {
  from: number;
  to: number;
  severity: AlertSeverity;
}

/** A day as stretches of one severity each, in minutes since midnight. */
export function stretchesOf(
  windows: readonly Window[],
  base: AlertSeverity,
  day: number,
): Stretch[] {
  const edges = new Set([0, minutesOfDay]);
  for (const window of windows) {
    for (const clock of [window.from, window.to]) edges.add(minuteOf(clock) ?? 0);
  }
  const sorted = [...edges].sort((a, b) => a - b);
  const all: Stretch[] = [];
  for (let i = 0; i + 1 < sorted.length; i++) {
    const from = sorted[i] ?? 0;
    const to = sorted[i + 1] ?? minutesOfDay;
    const severity = severityAt(windows, base, day, from);
    const last = all.at(-1);
    if (last?.severity === severity) last.to = to;
    else all.push({ from, to, severity });
  }
  return all;
}

/** "08:00"; the end of the day is 24:00. */
export function clockOf(minute: number): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}
