import type { BulkKind, TaskState } from '@/graphql/generated/enums';

/** What a person can do with a task; `edit` runs it again with other parameters. */
export type Deed = 'cancel' | 'retry' | 'edit' | 'discard';
export const deeds = ['retry', 'edit', 'discard', 'cancel'] as const;

// A finished task is run again as a new one, a failed one as its next attempt.
const again: readonly TaskState[] = ['FAILED', 'SUCCEEDED', 'CANCELLED', 'SKIPPED', 'DISCARDED'];

/** The states that allow a deed; the server refuses it in any other. */
export const allowed: Record<Deed, readonly TaskState[]> = {
  cancel: ['WAITING', 'RUNNING', 'RETRYING', 'FAILED'],
  retry: again,
  edit: again,
  discard: ['FAILED'],
};

/** The states that a bulk operation means when its filter names none. */
export const usual: Record<Deed, readonly TaskState[]> = {
  cancel: ['WAITING', 'RUNNING', 'RETRYING'],
  retry: ['FAILED'],
  edit: ['FAILED'],
  discard: ['FAILED'],
};

/** The kind of bulk operation that does a deed. */
export const kindOf: Record<Deed, BulkKind> = {
  cancel: 'CANCEL',
  retry: 'RETRY',
  edit: 'RETRY',
  discard: 'DISCARD',
};

/** Whether a task in this state can be cancelled, retried or discarded. */
export function can(deed: Deed, state: TaskState): boolean {
  return allowed[deed].includes(state);
}
