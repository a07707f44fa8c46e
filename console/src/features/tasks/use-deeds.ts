import { useTranslation } from 'react-i18next';
import { useClient } from 'urql';
import { describeError } from '@/graphql/error';
import type { Deed } from './deeds';
import { CancelTask, DiscardTask, RetryTask } from './queries';

/** Does something to one task and answers the reason when it was refused. */
export function useDeed(): (deed: Deed, id: string, reason: string) => Promise<string | null> {
  const client = useClient();
  const { t } = useTranslation();
  return async (deed, id, reason) => {
    const why = reason.trim() === '' ? null : reason.trim();
    if (deed === 'retry') {
      const result = await client.mutation(RetryTask, { id }).toPromise();
      return answer(result.error, result.data?.retryTask.userErrors, t('error.network'));
    }
    if (deed === 'discard') {
      const result = await client.mutation(DiscardTask, { id, reason: why }).toPromise();
      return answer(result.error, result.data?.discardTask.userErrors, t('error.network'));
    }
    const result = await client.mutation(CancelTask, { id, reason: why }).toPromise();
    return answer(result.error, result.data?.cancelTask.userErrors, t('error.network'));
  };
}

type Fault = Parameters<typeof describeError>[0];

function answer(
  error: Fault | undefined,
  userErrors: readonly { message: string }[] | undefined,
  network: string,
): string | null {
  if (error) return describeError(error).message || network;
  return userErrors?.[0]?.message ?? null;
}

/** Runs `work` over all items, a few at a time, and tells how many are done. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
  progress: (done: number) => void,
): Promise<void> {
  let next = 0;
  let done = 0;
  const lane = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) {
      await work(item);
      done += 1;
      progress(done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
}
