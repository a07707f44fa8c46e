import type { Deed } from '@/features/tasks/deeds';
import type { BulkRowFragment } from '@/graphql/generated/graphql';

/** What an operation does, as the buttons name it: a retry with other parameters has a name of its own. */
export function deedOf(bulk: Pick<BulkRowFragment, 'kind' | 'parameters' | 'patch'>): Deed {
  if (bulk.kind === 'CANCEL') return 'cancel';
  if (bulk.kind === 'DISCARD') return 'discard';
  return bulk.parameters == null && bulk.patch == null ? 'retry' : 'edit';
}
