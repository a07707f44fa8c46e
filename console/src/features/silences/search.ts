import { oneOf } from '@/routes/search';

export const silenceTimes = ['active', 'coming', 'past', 'all'] as const;

/** What the address of the list says; without a choice, what holds or will hold. */
export interface SilencesSearch {
  show?: (typeof silenceTimes)[number] | undefined;
}

export function readSilencesSearch(raw: Record<string, unknown>): SilencesSearch {
  return { show: oneOf(raw, 'show', silenceTimes) };
}
