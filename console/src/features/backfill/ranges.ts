import { wallTime } from '@/time/format';
import { toInstant } from '@/time/local';

/** A range of past instants: from the first to before the second. */
export interface Range {
  from: string;
  to: string;
}

/** Ranges offered by one press. */
export const presets = ['hours24', 'yesterday', 'days7', 'days30'] as const;
export type Preset = (typeof presets)[number];

/** The range of a preset; days begin at midnight in the zone, whatever the clock did on them. */
export function presetRange(preset: Preset, now: Date, zone: string): Range {
  if (preset === 'hours24') {
    const to = Math.floor(now.getTime() / 1_000) * 1_000;
    return { from: iso(to - 86_400_000), to: iso(to) };
  }
  const days = { yesterday: 1, days7: 7, days30: 30 }[preset];
  return { from: midnight(now, zone, -days), to: midnight(now, zone, 0) };
}

/** The beginning of the day so many days from the one of `at`, on the wall clock of the zone. */
function midnight(at: Date, zone: string, days: number): string {
  const wall = wallTime(at, zone);
  const date = new Date(Date.UTC(Number(wall.year), Number(wall.month) - 1, Number(wall.day)));
  date.setUTCDate(date.getUTCDate() + days);
  return toInstant(`${date.toISOString().slice(0, 10)}T00:00:00`, zone) ?? iso(at.getTime());
}

const iso = (ms: number) => new Date(ms).toISOString();
