import { useEffect, useState } from 'react';
import { type AnyVariables, type DocumentInput, useQuery } from 'urql';
import { useResync } from '@/live/hooks';
import { describeError, type ErrorView } from './error';

/** Data to show, or the reason why there is none. */
export interface Read<Data> {
  /** Last good data; stays while it is read again, and when that fails. */
  data: Data | undefined;
  /** Nothing to show yet: render a skeleton. */
  loading: boolean;
  /** The last answer was an error. With data: show it above the old data. */
  error: ErrorView | null;
  /** Data is shown and newer data is on its way. */
  refreshing: boolean;
  /** The answer takes longer than three seconds: say so. */
  slow: boolean;
  refetch: () => void;
}

/** Reads a query and keeps it fresh: it is read again after each reconnect of the live line. */
export function useRead<Data, Variables extends AnyVariables>(options: {
  query: DocumentInput<Data, Variables>;
  variables: Variables;
  skip?: boolean;
}): Read<Data> {
  const [result, execute] = useQuery<Data, Variables>({
    query: options.query,
    variables: options.variables,
    pause: options.skip === true,
  } as Parameters<typeof useQuery<Data, Variables>>[0]);
  // urql drops the data with the first error: the last good answer to this very question is kept here.
  const [kept, setKept] = useState<{ data: Data; question: number } | null>(null);
  const question = result.operation?.key;
  if (result.data && question !== undefined && kept?.data !== result.data) {
    setKept({ data: result.data, question });
  }
  const data = result.data ?? (kept && kept.question === question ? kept.data : undefined);
  const refetch = () => execute({ requestPolicy: 'network-only' });
  useResync(refetch);
  const busy = result.fetching || result.stale;
  const slow = useSlow(busy && !result.error);
  // An error counts until the next answer. `stale` says nothing here: the cache marks a query that
  // another one touched and then does not ask again when it has no data, so it would stay so for ever.
  const error = result.error && !result.fetching ? describeError(result.error) : null;
  return {
    data,
    loading: !data && !error && options.skip !== true,
    error,
    refreshing: busy && data !== undefined,
    slow,
    refetch,
  };
}

/** Whether something has been busy for more than three seconds. */
export function useSlow(busy: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = setTimeout(() => setSlow(true), 3_000);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [busy]);
  return slow;
}
