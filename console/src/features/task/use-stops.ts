import type { LogRow } from './log-rows';
import type { Stops } from './log-toolbar';

/** A line that was gone to, and as what. */
export interface Place {
  seq: string;
  as: 'match' | 'error';
}

/** Steps between some of the rows, in a circle, from where one is. */
export function useStops(
  rows: readonly LogRow[],
  at: readonly number[],
  place: Place | null,
  as: Place['as'],
  go: (to: Place) => void,
): Stops {
  const seqAt = (n: number) => rows[at[n] ?? -1]?.key;
  const present = place?.as === as ? at.findIndex((_, n) => seqAt(n) === place.seq) : -1;
  return {
    at: present + 1,
    count: at.length,
    go: (step) => {
      if (at.length === 0) return;
      const from = present < 0 && step < 0 ? 0 : present;
      const seq = seqAt((from + step + at.length) % at.length);
      if (seq !== undefined) go({ seq, as });
    },
  };
}
