import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import type { BackfillRowFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { CancelBackfill, PauseBackfill, ResumeBackfill } from './queries';

/** Pause, resume and cancel; nothing once it has ended. */
export function BackfillActions({ backfill }: { backfill: BackfillRowFragment }) {
  const { t } = useTranslation('backfill');
  const { t: tc } = useTranslation();
  const [asking, setAsking] = useState(false);
  const pause = useMutationAction(PauseBackfill, {
    pick: (data) => data.pauseBackfill,
    success: () => t('paused'),
  });
  const resume = useMutationAction(ResumeBackfill, {
    pick: (data) => data.resumeBackfill,
    success: () => t('resumed'),
  });
  const { id, state } = backfill;
  if (state === 'FINISHED' || state === 'CANCELLED') return null;
  const toggle = state === 'RUNNING' ? pause : resume;
  return (
    <>
      <ActionButton
        atLeast="OPERATOR"
        icon={state === 'RUNNING' ? 'pause' : 'play'}
        busy={pause.busy || resume.busy}
        onClick={() => void toggle.run({ id })}
      >
        {tc(state === 'RUNNING' ? 'actions.pause' : 'actions.resume')}
      </ActionButton>
      <ActionButton atLeast="OPERATOR" icon="cancelled" onClick={() => setAsking(true)}>
        {t('cancel.action')}
      </ActionButton>
      <CancelDialog id={id} opened={asking} onClose={() => setAsking(false)} />
    </>
  );
}

function CancelDialog(props: { id: string; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('backfill');
  const [reason, setReason] = useState('');
  const action = useMutationAction(CancelBackfill, {
    pick: (data) => data.cancelBackfill,
    success: () => t('cancel.done'),
    refusals: 'form',
  });
  const close = () => {
    action.clear();
    setReason('');
    props.onClose();
  };
  const run = async () => {
    const { payload } = await action.run({ id: props.id, reason: reason.trim() || null });
    if (payload) close();
  };
  return (
    <ConfirmDialog
      opened={props.opened}
      onClose={close}
      title={t('cancel.title')}
      confirm={t('cancel.action')}
      danger
      busy={action.busy}
      error={action.userErrors.map((e) => e.message).join(' ') || null}
      onConfirm={() => void run()}
    >
      <p>{t('cancel.text')}</p>
      <TextInput
        label={t('cancel.reason')}
        value={reason}
        maxLength={500}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
