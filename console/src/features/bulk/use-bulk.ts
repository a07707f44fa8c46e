import type { BulkOperationPageQuery, BulkRowFragment } from '@/graphql/generated/graphql';
import { type Read, useRead } from '@/graphql/use-read';
import { useEvery, useLive, useThrottled } from '@/live/hooks';
import { BulkOperationChanged, BulkOperationQuery } from './queries';

export type Refusal = NonNullable<BulkOperationPageQuery['bulkOperation']>['refusals'][number];

/** How often what is under way is read again besides its events: they stop when a person pauses them. */
export const rereadEvery = 5_000;

/**
 * One operation, live, with its first `refusals` refusals. `known` is what is known of it before
 * the first answer.
 */
export function useBulk(
  id: string,
  refusals: number,
  known?: BulkRowFragment,
): Read<BulkOperationPageQuery> {
  const read = useRead({ query: BulkOperationQuery, variables: { id, refusals } });
  const bulk = read.data?.bulkOperation;
  // Events do not carry the refusals.
  const reread = useThrottled(read.refetch, 2_000);
  useLive({
    query: BulkOperationChanged,
    variables: { id },
    onEvent: ({ bulkOperationChanged: now }) => {
      const shown = bulk?.refusals.length ?? 0;
      if (Math.min(Number(now.refused), refusals) > shown) reread();
    },
  });
  useEvery((bulk ?? known)?.state === 'RUNNING' ? rereadEvery : null, read.refetch);
  return read;
}
