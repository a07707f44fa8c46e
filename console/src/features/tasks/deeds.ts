import type { TaskState } from '@/graphql/generated/enums';

/** What a person can do with a task. */
export type Deed = 'cancel' | 'retry' | 'discard';
export const deeds = ['cancel', 'retry', 'discard'] as const;

const allowed: Record<Deed, readonly TaskState[]> = {
  cancel: ['WAITING', 'RUNNING', 'RETRYING', 'FAILED'],
  // A finished task is run again as a new one, a failed one as its next attempt.
  retry: ['FAILED', 'SUCCEEDED', 'CANCELLED', 'SKIPPED', 'DISCARDED'],
  discard: ['FAILED'],
};

/** Whether a task in this state can be cancelled, retried or discarded. */
export function can(deed: Deed, state: TaskState): boolean {
  return allowed[deed].includes(state);
}
