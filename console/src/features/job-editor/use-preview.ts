import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from 'urql';
import { describeError, type ErrorView } from '@/graphql/error';
import type {
  SchedulePreviewQuery as PreviewResult,
  TriggerInput,
} from '@/graphql/generated/graphql';
import { SchedulePreviewQuery } from './queries';

export type Preview = PreviewResult['schedulePreview'];

export interface PreviewState {
  /** The answer to the latest trigger that was asked about; stays while a newer one is asked. */
  preview: Preview | null;
  /** The server could not answer. */
  error: ErrorView | null;
  /** An answer is on its way. */
  busy: boolean;
}

const pause = 250;
const nothing: PreviewState = { preview: null, error: null, busy: false };

/** Asks the server what a trigger would do, a quarter of a second after the last change. */
export function usePreview(trigger: TriggerInput | null): PreviewState {
  const { i18n } = useTranslation();
  const client = useClient();
  const [state, setState] = useState(nothing);
  const key = trigger === null ? null : JSON.stringify(trigger);
  const locale = i18n.language;

  useEffect(() => {
    if (key === null) {
      setState(nothing);
      return;
    }
    let outdated = false;
    const ask = async () => {
      setState((old) => ({ ...old, busy: true }));
      const input = { trigger: JSON.parse(key) as TriggerInput, count: 8, locale };
      const result = await client
        .query(SchedulePreviewQuery, { input }, { requestPolicy: 'network-only' })
        .toPromise();
      if (outdated) return;
      setState({
        preview: result.data?.schedulePreview ?? null,
        error: result.error && !result.data ? describeError(result.error) : null,
        busy: false,
      });
    };
    const timer = setTimeout(() => void ask(), pause);
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [key, locale, client]);

  return state;
}

/** Where in the expression the server's sentence points, counted from 0; null when it names no place. */
export function errorPosition(message: string): number | null {
  const match = /\bposition (\d+)\b/.exec(message);
  return match ? Number(match[1]) - 1 : null;
}
