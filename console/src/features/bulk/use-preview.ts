import { useQuery } from 'urql';
import { describeError, type ErrorView } from '@/graphql/error';
import type {
  BulkPreviewQuery as Answer,
  CreateBulkOperationInput,
} from '@/graphql/generated/graphql';
import { useSlow } from '@/graphql/use-read';
import { BulkPreviewQuery } from './queries';

export interface LivePreview {
  data: Answer['bulkPreview'] | undefined;
  /** It is counted, and not being counted again. */
  ready: boolean;
  error: ErrorView | null;
  slow: boolean;
  /** Counts again: more may match by now. */
  again: () => void;
}

/** How many tasks an operation would be for, counted when the form opens; not with null. */
export function useBulkPreview(input: CreateBulkOperationInput | null): LivePreview {
  const [result, execute] = useQuery({
    query: BulkPreviewQuery,
    variables: { input: input as CreateBulkOperationInput },
    pause: input === null,
    requestPolicy: 'network-only',
  });
  return {
    data: result.data?.bulkPreview,
    ready: result.data !== undefined && !result.fetching,
    error: result.error && !result.fetching ? describeError(result.error) : null,
    slow: useSlow(result.fetching),
    again: () => execute({ requestPolicy: 'network-only' }),
  };
}
