import { useEffect, useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { describeError, type ErrorView } from '@/graphql/error';
import type {
  BackfillPreviewQuery as Answer,
  CreateBackfillInput,
} from '@/graphql/generated/graphql';
import { BackfillPreviewQuery } from './queries';

export type BackfillPreview = Answer['backfillPreview'];

export interface LivePreview {
  /** The last answer; undefined before the first. */
  data: BackfillPreview | undefined;
  /** It is the answer for what stands in the form now. */
  fits: boolean;
  /** Why there is no answer. */
  error: ErrorView | null;
  /** Something is to be previewed: the form is complete. */
  asked: boolean;
}

/** What a backfill would do, asked anew when the form has been still for a moment. */
export function useBackfillPreview(input: CreateBackfillInput | null): LivePreview {
  const text = input === null ? null : JSON.stringify(input);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (text === settled) return;
    const timer = setTimeout(() => setSettled(text), 300);
    return () => clearTimeout(timer);
  }, [text, settled]);
  const asked = useMemo(
    () => (settled === null ? null : (JSON.parse(settled) as CreateBackfillInput)),
    [settled],
  );
  const [result] = useQuery({
    query: BackfillPreviewQuery,
    variables: { input: asked as CreateBackfillInput },
    pause: asked === null,
    requestPolicy: 'network-only',
  });
  return {
    data: result.data?.backfillPreview,
    fits: text === settled && !result.fetching && !result.stale,
    error: result.error && !result.fetching ? describeError(result.error) : null,
    asked: text !== null,
  };
}

/** How many tasks a backfill would make. */
export function toMake(preview: BackfillPreview, onlyMissing: boolean): number {
  const total = Number(preview.total);
  return onlyMissing ? Math.max(0, total - Number(preview.present)) : total;
}
