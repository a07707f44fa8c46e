import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { useMutationAction } from '@/graphql/use-action';
import { Changes } from './changes';
import type { Asked } from './compare-panel';
import { RollBackJob } from './queries';
import classes from './revisions.module.css';

/**
 * Asks before a job becomes again what it was, with everything that this changes. The job must
 * still be at the version that the changes were told against: otherwise the server refuses.
 */
export function RollBackDialog(props: {
  jobId: string;
  name: string;
  asked: Asked | null;
  onClose: () => void;
  onRefused: () => void;
  onDone: () => void;
}) {
  const { asked } = props;
  const { t } = useTranslation('revisions');
  const action = useMutationAction(RollBackJob, {
    pick: (data) => data.rollBackJob,
    success: () => t('back.done', { name: props.name, number: asked?.revision }),
    refusals: 'form',
  });
  const run = async () => {
    if (!asked) return;
    const { revision, version } = asked;
    const { payload, userErrors } = await action.run({ id: props.jobId, revision, version });
    if (payload) props.onDone();
    else if (userErrors.length > 0) props.onRefused();
  };
  return (
    <ConfirmDialog
      opened={asked !== null}
      onClose={() => {
        action.clear();
        props.onClose();
      }}
      size="xl"
      title={t('back.title', { name: props.name, number: asked?.revision ?? 0 })}
      confirm={t('back.action')}
      busy={action.busy}
      error={action.userErrors.map((e) => e.message).join(' ') || null}
      onConfirm={() => void run()}
    >
      <p>{t('back.text')}</p>
      <p className={classes.note}>{t('back.changes', { count: asked?.changes.length ?? 0 })}</p>
      {asked ? <Changes changes={asked.changes} /> : null}
    </ConfirmDialog>
  );
}
