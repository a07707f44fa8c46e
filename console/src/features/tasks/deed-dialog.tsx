import { TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { type ToastLink, useToast } from '@/components/ui/toast';
import type { Deed } from './deeds';
import classes from './tasks.module.css';
import { inParallel, useDeed } from './use-deeds';

/** A task as the dialog names it. */
export interface Target {
  id: string;
  job: { name: string };
}

export interface Doing {
  deed: Deed;
  tasks: readonly Target[];
}

interface Refusal {
  task: Target;
  why: string;
}

/** How many requests of a bulk deed are on their way at once. */
const atOnce = 4;

/** Asks before tasks are cancelled, retried or discarded, does it, and says how it went. */
export function DeedDialog({ doing, onClose }: { doing: Doing | null; onClose: () => void }) {
  const { t } = useTranslation('tasks');
  const run = useDeed();
  const toast = useToast();
  const [reason, setReason] = useState('');
  const [done, setDone] = useState<number | null>(null);
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  // What was refused is asked again alone: the others are done.
  const targets = refusals.length > 0 ? refusals.map(({ task }) => task) : (doing?.tasks ?? []);
  const deed = doing?.deed ?? 'cancel';
  const single = targets.length === 1 && (doing?.tasks.length ?? 1) === 1;

  const close = () => {
    // Requests that are on their way cannot be called back: their outcome is waited for.
    if (done !== null) return;
    setReason('');
    setRefusals([]);
    onClose();
  };
  const confirm = async () => {
    if (done !== null) return;
    setDone(0);
    const refused: Refusal[] = [];
    const made: string[] = [];
    await inParallel(
      targets,
      atOnce,
      async (task) => {
        const outcome = await run(deed, task.id, reason);
        if (outcome.why) refused.push({ task, why: outcome.why });
        else if (outcome.task && outcome.task !== task.id) made.push(outcome.task);
      },
      setDone,
    );
    setDone(null);
    const went = targets.length - refused.length;
    const [only] = made;
    if (went === 1 && only) toast.done(t('did.anew'), newTaskLink(only, t));
    else if (went > 0) toast.done(t(`did.${deed}`, { count: went }));
    setRefusals(refused);
    if (refused.length > 0) return;
    setReason('');
    onClose();
  };

  return (
    <ConfirmDialog
      opened={doing !== null}
      onClose={close}
      title={t(`ask.${deed}`, { count: targets.length })}
      confirm={t(`deed.${deed}`)}
      danger={deed !== 'retry'}
      busy={done !== null}
      error={single ? refusals[0]?.why : null}
      onConfirm={() => void confirm()}
    >
      <p>{t(`explain.${deed}`)}</p>
      {deed === 'retry' ? null : (
        <TextInput
          label={t('reason')}
          value={reason}
          maxLength={500}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {done !== null && targets.length > 1 ? (
        <div className={classes.doing} role="status">
          <progress max={targets.length} value={done} aria-label={t('progress')} />
          {t('doing', { done, total: targets.length })}
        </div>
      ) : null}
      {!single && refusals.length > 0 ? <Refusals refusals={refusals} /> : null}
    </ConfirmDialog>
  );
}

/** Leads from a message to the task that was made. */
function newTaskLink(id: string, t: TFunction<'tasks'>): ToastLink {
  return { text: t('openNew'), to: `/tasks/${id}` };
}

function Refusals({ refusals }: { refusals: readonly Refusal[] }) {
  const { t } = useTranslation('tasks');
  const title = t('refused', { count: refusals.length });
  return (
    <div role="alert">
      <p className={classes.refusedTitle}>{title}</p>
      <ul className={classes.refused} aria-label={title}>
        {refusals.map(({ task, why }) => (
          <li key={task.id}>
            <strong title={task.id}>{task.job.name}</strong>
            <span>{why}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
