import { useTranslation } from 'react-i18next';
import { useClient } from 'urql';
import { describeError } from '@/graphql/error';
import type { Deed } from './deeds';
import { CancelTask, DiscardTask, RetryTask } from './queries';

/** How it went: why it was refused, or null and the task that it is now, a new one after some retries. */
export interface Outcome {
  why: string | null;
  task: string | null;
}

/** Does something to one task. */
export function useDeed(): (
  deed: Exclude<Deed, 'edit'>,
  id: string,
  reason: string,
) => Promise<Outcome> {
  const client = useClient();
  const { t } = useTranslation();
  return async (deed, id, reason) => {
    const why = reason.trim() === '' ? null : reason.trim();
    if (deed === 'retry') {
      const result = await client.mutation(RetryTask, { id }).toPromise();
      return outcome(result.error, result.data?.retryTask, t('error.network'));
    }
    if (deed === 'discard') {
      const result = await client.mutation(DiscardTask, { id, reason: why }).toPromise();
      return outcome(result.error, result.data?.discardTask, t('error.network'));
    }
    const result = await client.mutation(CancelTask, { id, reason: why }).toPromise();
    return outcome(result.error, result.data?.cancelTask, t('error.network'));
  };
}

type Fault = Parameters<typeof describeError>[0];

interface Answer {
  task: { id: string } | null;
  userErrors: readonly { message: string }[];
}

function outcome(error: Fault | undefined, answer: Answer | undefined, network: string): Outcome {
  if (error) return { why: describeError(error).message || network, task: null };
  return { why: answer?.userErrors[0]?.message ?? null, task: answer?.task?.id ?? null };
}
