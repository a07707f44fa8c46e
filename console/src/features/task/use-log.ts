import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLivePaused, useResync } from '@/live/hooks';
import { useSession } from '@/session/context';
import { LogReader, type LogSnapshot } from './log-reader';

/**
 * A task's log: what was written, then what is being written. Starts again after the last
 * line when the task becomes live (run again), ends, or the line was cut: the end of a task
 * is told beside its last lines, so they are read once more after it.
 */
export function useLog(id: string, live: boolean): LogSnapshot & { again: () => void } {
  const session = useSession();
  const [reader] = useState(() => new LogReader(session.live, id));
  const paused = useLivePaused();
  // The server ends the subscription of a task that has ended once the log is complete.
  const again = () => void reader.start(!paused);
  useResync(again);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `live` starts it anew
  useEffect(() => {
    void reader.start(!paused);
    return () => reader.stop();
  }, [reader, paused, live]);
  const snapshot = useSyncExternalStore(reader.watch, () => reader.snapshot);
  return { ...snapshot, again };
}
