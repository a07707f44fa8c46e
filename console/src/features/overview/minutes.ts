import type { OverviewFieldsFragment } from '@/graphql/generated/graphql';

export type Minute = OverviewFieldsFragment['minutes'][number];

export const outcomes = ['succeeded', 'failed', 'retried', 'cancelled', 'skipped'] as const;
export type Outcome = (typeof outcomes)[number];

/** Good ends stand above the axis, the others hang below it: position tells them apart, not colour alone. */
const below = ['failed', 'retried', 'cancelled', 'skipped'] as const satisfies readonly Outcome[];

export type Counts = Record<Outcome, number>;

export function totals(minutes: readonly Minute[]): Counts {
  const sum: Counts = { succeeded: 0, failed: 0, retried: 0, cancelled: 0, skipped: 0 };
  for (const minute of minutes) {
    for (const outcome of outcomes) sum[outcome] += Number(minute[outcome]);
  }
  return sum;
}

/** One piece of a bar: offset and height in pixels from the top of the chart. */
export interface Segment {
  outcome: Outcome;
  y: number;
  height: number;
}

export interface Layout {
  /** Where the axis lies, in pixels from the top. */
  axis: number;
  /** The segments of each minute. */
  bars: Segment[][];
  /** Greatest counts above and below the axis. */
  max: { above: number; below: number };
}

/** What is not nothing is seen: a single failure among thousands of successes keeps this height. */
const least = 3;

/**
 * Lays out the bars in `height` pixels. Both sides have the same scale, so that lengths can
 * be compared; the axis moves with what there is.
 */
export function layout(minutes: readonly Minute[], height: number): Layout {
  const bads = minutes.map((m) => below.reduce((sum, outcome) => sum + Number(m[outcome]), 0));
  const max = {
    above: Math.max(1, ...minutes.map((m) => Number(m.succeeded))),
    below: Math.max(0, ...bads),
  };
  // Room below for one readable bar at least, so that the axis does not jump with the first failure.
  const room = Math.max(height * 0.16, (height * max.below) / (max.above + max.below));
  const axis = Math.round(height - room);
  const scale = Math.min(
    axis / max.above,
    max.below > 0 ? room / max.below : Number.POSITIVE_INFINITY,
  );
  const length = (count: number) => (count > 0 ? Math.max(least, count * scale) : 0);
  const bars = minutes.map((minute) => {
    const up = length(Number(minute.succeeded));
    const segments: Segment[] = up > 0 ? [{ outcome: 'succeeded', y: axis - up, height: up }] : [];
    let y = axis + 1;
    for (const outcome of below) {
      const down = length(Number(minute[outcome]));
      if (down === 0) continue;
      segments.push({ outcome, y, height: down });
      y += down;
    }
    return segments;
  });
  return { axis, bars, max };
}
