import { useTranslation } from 'react-i18next';
import { useMutationAction } from '@/graphql/use-action';
import { PauseJob, ResumeJob } from './queries';

/** Pauses an enabled job, resumes a paused one; says so or shows why not. */
export function usePauseResume() {
  const { t } = useTranslation('jobs');
  const pause = useMutationAction(PauseJob, {
    pick: (data) => data.pauseJob,
    success: (payload) => t('paused', { name: payload.job?.name }),
  });
  const resume = useMutationAction(ResumeJob, {
    pick: (data) => data.resumeJob,
    success: (payload) => t('resumed', { name: payload.job?.name }),
  });
  return {
    busy: pause.busy || resume.busy,
    run: (job: { id: string; enabled: boolean }) =>
      job.enabled ? pause.run({ id: job.id }) : resume.run({ id: job.id }),
  };
}
