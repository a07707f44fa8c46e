import { useTranslation } from 'react-i18next';
import { ActionIconButton } from '@/components/ui/action-button';
import type { JobRowFragment } from '@/graphql/generated/graphql';
import classes from './jobs.module.css';
import { usePauseResume } from './use-pause-resume';

/** Run now and pause or resume, from the row. */
export function RowActions({
  job,
  onRun,
}: {
  job: JobRowFragment;
  onRun: (job: JobRowFragment) => void;
}) {
  const { t } = useTranslation('jobs');
  const { t: tc } = useTranslation();
  const toggle = usePauseResume();
  return (
    <span className={classes.actions}>
      <ActionIconButton
        atLeast="OPERATOR"
        icon="play"
        label={t('runNamed', { name: job.name })}
        onClick={() => onRun(job)}
      />
      <ActionIconButton
        atLeast="OPERATOR"
        icon={job.enabled ? 'pause' : 'retrying'}
        label={`${tc(job.enabled ? 'actions.pause' : 'actions.resume')}: ${job.name}`}
        busy={toggle.busy}
        onClick={() => void toggle.run(job)}
      />
    </span>
  );
}
