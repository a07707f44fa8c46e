import { useMemo, useState } from 'react';

/** Which rows are ticked. Keys stay ticked while their row is on the page. */
export interface Selection {
  keys: readonly string[];
  has: (key: string) => boolean;
  toggle: (key: string) => void;
  set: (keys: readonly string[], on: boolean) => void;
  clear: () => void;
}

/** Selection over the rows shown: keys of rows that are gone no longer count. */
export function useSelection(present: readonly string[]): Selection {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  return useMemo(() => {
    const keys = present.filter((key) => ticked.has(key));
    const change = (edit: (next: Set<string>) => void) => {
      setTicked((old) => {
        const next = new Set(old);
        edit(next);
        return next;
      });
    };
    return {
      keys,
      has: (key) => ticked.has(key),
      toggle: (key) =>
        change((next) => {
          if (!next.delete(key)) next.add(key);
        }),
      set: (all, on) =>
        change((next) => {
          for (const key of all) {
            if (on) next.add(key);
            else next.delete(key);
          }
        }),
      clear: () => setTicked(new Set()),
    };
  }, [present, ticked]);
}
