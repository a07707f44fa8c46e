import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { useToast } from '@/components/ui/toast';
import { BulkDialog } from '@/features/bulk/bulk-dialog';
import type { Deed } from './deeds';
import { EditDialog } from './edit-dialog';
import { useDeed } from './use-deed';

/** A task as the dialogs know it. */
export interface Target {
  id: string;
  /** Absent: not known, and read when it is needed. */
  parameters?: unknown;
}

export interface Doing {
  deed: Deed;
  tasks: readonly Target[];
}

interface DeedDialogProps {
  /** Null while the dialog is closed. */
  doing: Doing | null;
  onClose: () => void;
}

/** Asks before something is done to tasks, does it, and says how it went: a single task at once, more as a bulk operation. */
export function DeedDialog({ doing, onClose }: DeedDialogProps) {
  const [first, second] = doing?.tasks ?? [];
  const one = doing && first && !second ? first : null;
  const edits = doing?.deed === 'edit';
  return (
    <>
      <OneDialog
        doing={one && doing && doing.deed !== 'edit' ? { deed: doing.deed, id: one.id } : null}
        onClose={onClose}
      />
      <EditDialog task={edits ? one : null} onClose={onClose} />
      <BulkDialog ask={doing && second ? doing : null} onClose={onClose} />
    </>
  );
}

interface OneDialogProps {
  doing: { deed: Exclude<Deed, 'edit'>; id: string } | null;
  onClose: () => void;
}

function OneDialog({ doing, onClose }: OneDialogProps) {
  const { t } = useTranslation('tasks');
  const run = useDeed();
  const toast = useToast();
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const deed = doing?.deed ?? 'cancel';

  const close = () => {
    // A request that is on its way cannot be called back: its outcome is waited for.
    if (busy) return;
    setReason('');
    setRefused(null);
    onClose();
  };
  const confirm = async () => {
    if (busy || !doing) return;
    setBusy(true);
    setRefused(null);
    const { why, task } = await run(doing.deed, doing.id, reason);
    setBusy(false);
    if (why) return setRefused(why);
    if (task && task !== doing.id) {
      toast.done(t('did.anew'), { text: t('openNew'), to: `/tasks/${task}` });
    } else {
      toast.done(t(`did.${doing.deed}`));
    }
    setReason('');
    onClose();
  };

  return (
    <ConfirmDialog
      opened={doing !== null}
      onClose={close}
      title={t(`ask.${deed}`, { count: 1 })}
      confirm={t(`deed.${deed}`)}
      danger={deed !== 'retry'}
      busy={busy}
      error={refused}
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
    </ConfirmDialog>
  );
}
