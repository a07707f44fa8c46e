import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { type AnyVariables, type DocumentInput, useSubscription } from 'urql';
import { useSession } from '@/session/context';
import type { LiveStatus } from './live';

export function useLiveStatus(): LiveStatus {
  const { live } = useSession();
  return useSyncExternalStore(live.watch, () => live.status);
}

/** Whether live updates are stopped by the person. */
export function useLivePaused(): boolean {
  const { live } = useSession();
  return useSyncExternalStore(live.watch, () => live.paused);
}

/** Calls back whenever what is shown must be read again: after a reconnect, a pause or a cut burst. */
export function useResync(callback: () => void): void {
  const { live } = useSession();
  const call = useEffectEvent(callback);
  useEffect(() => live.onResync(() => call()), [live]);
}

interface LiveOptions<Data, Variables extends AnyVariables> {
  query: DocumentInput<Data, Variables>;
  variables: Variables;
  /** True while there is nothing to subscribe to. */
  skip?: boolean;
  /** Called for each event; entities in the cache are up to date by then. */
  onEvent?: (data: Data) => void;
}

/**
 * Subscribes for as long as the component stands and live updates are not paused. Entities
 * with an id update themselves through the cache; onEvent is for what the cache cannot know,
 * a new row for example.
 */
export function useLive<Data, Variables extends AnyVariables>(
  options: LiveOptions<Data, Variables>,
): Data | undefined {
  const paused = useLivePaused();
  const onEvent = useEffectEvent((data: Data) => options.onEvent?.(data));
  const [result] = useSubscription<Data, Data, Variables>(
    {
      query: options.query,
      variables: options.variables,
      pause: paused || options.skip === true,
    } as Parameters<typeof useSubscription<Data, Data, Variables>>[0],
    (_previous, data) => {
      queueMicrotask(() => onEvent(data));
      return data;
    },
  );
  return result.data;
}

/** Runs an action at most once in `ms`, at the end of the interval at the latest. For refetches on a stream of events. */
export function useThrottled(action: () => void, ms: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const last = useRef(Number.NEGATIVE_INFINITY);
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(
    () => () => {
      if (timer.current) clearTimeout(timer.current);
    },
    [],
  );
  return () => {
    if (timer.current) return;
    const now = performance.now();
    const delay = Math.max(0, last.current + ms - now);
    timer.current = setTimeout(() => {
      timer.current = null;
      last.current = performance.now();
      latest.current();
    }, delay);
  };
}

/** Runs an action every `ms` while the tab is seen, never with null. For what events may not tell: the live line can be paused. */
export function useEvery(ms: number | null, action: () => void): void {
  const act = useEffectEvent(action);
  useEffect(() => {
    if (ms === null) return;
    const timer = setInterval(() => {
      if (!document.hidden) act();
    }, ms);
    return () => clearInterval(timer);
  }, [ms]);
}
