import { useSyncExternalStore } from 'react';

// One timer for all texts that count time; it stops when the last of them is gone or the tab is hidden.
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;
let now = Date.now();

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  if (!timer) {
    now = Date.now();
    timer = setInterval(tick, 1_000);
  }
  return () => {
    watchers.delete(watcher);
    if (watchers.size === 0 && timer) {
      clearInterval(timer);
      timer = null;
    }
  };
}

function tick(): void {
  if (document.hidden) return;
  now = Date.now();
  for (const watcher of watchers) watcher();
}

/** The present, in steps of `step` seconds: a component renders again only when its step is over. */
export function useNow(step = 1): Date {
  const ms = useSyncExternalStore(watch, () => {
    // Before the first tick the module's value may be old: a page that just opened must not show it.
    if (!timer) now = Date.now();
    return Math.floor(now / (step * 1_000)) * step * 1_000;
  });
  return new Date(ms);
}
