import { SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '@/components/ui/dialog.module.css';
import { FormBody, FormDialog } from '@/components/ui/form-dialog';
import { InstantField } from '@/components/ui/instant-field';
import { fieldErrors } from '@/graphql/field-errors';
import { graphql } from '@/graphql/generated';
import type { TaskDetailFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useZone } from '@/time/view';

const RescheduleTask = graphql(`
  mutation RescheduleTask($id: ID!, $delay: Duration, $runAt: Time) {
    rescheduleTask(id: $id, delay: $delay, runAt: $runAt) {
      task {
        ...TaskDetail
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

interface RescheduleDialogProps {
  task: TaskDetailFragment;
  opened: boolean;
  onClose: () => void;
}

/** Gives a waiting task another time: at once, after a delay or at an instant. */
export function RescheduleDialog(props: RescheduleDialogProps) {
  const { t } = useTranslation('task');
  return (
    <FormDialog opened={props.opened} onClose={props.onClose} title={t('reschedule.title')}>
      <RescheduleForm {...props} />
    </FormDialog>
  );
}

const ways = ['now', 'delay', 'at'] as const;
type Way = (typeof ways)[number];

function RescheduleForm({ task, onClose }: RescheduleDialogProps) {
  const { t } = useTranslation('task');
  const zone = useZone(task.job.trigger.zone);
  const [way, setWay] = useState<Way>('delay');
  const [delay, setDelay] = useState('10m');
  const [runAt, setRunAt] = useState<string | null>(task.availableAt);
  const action = useMutationAction(RescheduleTask, {
    pick: (data) => data.rescheduleTask,
    success: () => t('reschedule.done'),
    refusals: 'form',
  });
  const errors = fieldErrors(action.userErrors, ['delay', 'runAt'] as const);
  const incomplete = (way === 'delay' && delay.trim() === '') || (way === 'at' && runAt === null);

  const submit = async () => {
    if (incomplete) return;
    const { payload } = await action.run({
      id: task.id,
      ...(way === 'delay' && { delay: delay.trim() }),
      ...(way === 'at' && { runAt }),
    });
    if (payload) onClose();
  };

  return (
    <FormBody
      problems={errors.rest}
      busy={action.busy}
      submit={t('reschedule.submit')}
      disabled={incomplete}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      <p className={classes.text}>{t('reschedule.text')}</p>
      <SegmentedControl
        aria-label={t('reschedule.when')}
        value={way}
        onChange={(value) => setWay(ways.find((each) => each === value) ?? 'now')}
        data={ways.map((value) => ({ value, label: t(`reschedule.how.${value}`) }))}
      />
      {way === 'delay' ? (
        <TextInput
          label={t('reschedule.delay')}
          description={t('reschedule.delayHint')}
          value={delay}
          onChange={(event) => setDelay(event.currentTarget.value)}
          error={errors.at.delay}
        />
      ) : null}
      {way === 'at' ? (
        <InstantField
          label={t('reschedule.at')}
          zone={zone}
          value={runAt}
          onChange={setRunAt}
          error={errors.at.runAt}
        />
      ) : null}
    </FormBody>
  );
}
