import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from 'urql';
import { describeError, type ErrorView } from '@/graphql/error';
import type {
  SchedulePreviewQuery as PreviewResult,
  SchedulePreviewInput,
} from '@/graphql/generated/graphql';
import { SchedulePreviewQuery } from './queries';

export type Preview = PreviewResult['schedulePreview'];
export type PreviewInput = Omit<SchedulePreviewInput, 'count' | 'locale'>;

export interface PreviewState {
  /** The answer to the latest trigger that was asked about; stays while a newer one is asked. */
  preview: Preview | null;
  /** There may be more fires than the answer has. */
  isCut: boolean;
  /** The server could not answer. */
  error: ErrorView | null;
  /** An answer is on its way. */
  busy: boolean;
}

const pause = 250;
const nothing: PreviewState = { preview: null, isCut: false, error: null, busy: false };
/** How many fires are asked for at first, and at most: the server gives no more. */
const some = 20;
const most = 1_000;
const dayMs = 86_400_000;

/**
 * Asks the server what a trigger would do, a quarter of a second after the last change. First
 * for the next fires, then for as many more as reach over `days` days.
 */
export function usePreview(input: PreviewInput | null, days: number): PreviewState {
  const { i18n } = useTranslation();
  const client = useClient();
  const [state, setState] = useState(nothing);
  const key = input === null ? null : JSON.stringify(input);
  const locale = i18n.language;

  useEffect(() => {
    if (key === null) {
      setState(nothing);
      return;
    }
    let outdated = false;
    const ask = async (count: number): Promise<void> => {
      const input = { ...(JSON.parse(key) as PreviewInput), count, locale };
      const result = await client
        .query(SchedulePreviewQuery, { input }, { requestPolicy: 'network-only' })
        .toPromise();
      if (outdated) return;
      const preview = result.data?.schedulePreview ?? null;
      const more = preview ? wanted(preview.fires, count, Date.now() + days * dayMs) : null;
      setState({
        preview,
        isCut: preview !== null && preview.fires.length >= count,
        error: result.error && !result.data ? describeError(result.error) : null,
        busy: more !== null,
      });
      if (more !== null) await ask(more);
    };
    const timer = setTimeout(() => {
      setState((old) => ({ ...old, busy: true }));
      void ask(some);
    }, pause);
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [key, locale, client, days]);

  return state;
}

/** How many fires to ask for next so that they reach until an instant; null when these do, or no more can be had. */
export function wanted(fires: readonly string[], count: number, until: number): number | null {
  const [first] = fires;
  const last = fires.at(-1);
  if (fires.length < count || count >= most || !first || !last) return null;
  const [from, to] = [Date.parse(first), Date.parse(last)];
  if (to >= until) return null;
  // As dense as so far, and a fifth more; at least twice as many, so that it ends soon.
  const guess = to > from ? (count * (until - from) * 1.2) / (to - from) : most;
  return Math.min(most, Math.max(2 * count, Math.ceil(guess)));
}

/** Where in the expression the server's sentence points, counted from 0; null when it names no place. */
export function errorPosition(message: string): number | null {
  const match = /\bposition (\d+)\b/.exec(message);
  return match ? Number(match[1]) - 1 : null;
}
