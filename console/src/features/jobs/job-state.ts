import type { JobState } from '@/components/ui/state-badge';

/** The one word for how a job stands. */
export function jobState(job: {
  enabled: boolean;
  invalidReason: string | null;
  deletedAt: string | null;
}): JobState {
  if (job.deletedAt) return 'DELETED';
  if (job.invalidReason) return 'INVALID';
  return job.enabled ? 'ENABLED' : 'PAUSED';
}
