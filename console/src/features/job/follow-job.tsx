import { useLive } from '@/live/hooks';
import { JobRunChanged } from './queries';

/** Draws nothing; tells when a task of a job has changed. */
export function FollowJob({ id, onTask }: { id: string; onTask: () => void }) {
  useLive({ query: JobRunChanged, variables: { job: id }, onEvent: onTask });
  return null;
}
