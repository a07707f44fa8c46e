import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { useToast } from '@/components/ui/toast';
import type { Deed } from './deeds';
import { inParallel, useDeed } from './use-deeds';

export interface Doing {
  deed: Deed;
  ids: string[];
}

/** Asks before tasks are cancelled, retried or discarded, does it, and says how it went. */
export function DeedDialog({ doing, onClose }: { doing: Doing | null; onClose: () => void }) {
  const { t } = useTranslation('tasks');
  const run = useDeed();
  const toast = useToast();
  const [reason, setReason] = useState('');
  const [done, setDone] = useState<number | null>(null);
  const [refusals, setRefusals] = useState<string[]>([]);
  const deed = doing?.deed ?? 'cancel';
  const ids = doing?.ids ?? [];

  const close = () => {
    setReason('');
    setRefusals([]);
    onClose();
  };
  const confirm = async () => {
    setDone(0);
    setRefusals([]);
    const refused: string[] = [];
    await inParallel(
      ids,
      4,
      async (id) => {
        const why = await run(deed, id, reason);
        if (why) refused.push(ids.length > 1 ? `${id}: ${why}` : why);
      },
      setDone,
    );
    setDone(null);
    const went = ids.length - refused.length;
    if (went > 0) toast.done(t(`did.${deed}`, { count: went }));
    if (refused.length > 0) setRefusals(refused);
    else close();
  };

  return (
    <ConfirmDialog
      opened={doing !== null}
      onClose={close}
      title={t(`ask.${deed}`, { count: ids.length })}
      confirm={
        done !== null && ids.length > 1
          ? t('doing', { done, total: ids.length })
          : t(`deed.${deed}`)
      }
      danger={deed !== 'retry'}
      busy={done !== null && ids.length === 1}
      error={refusals.length > 0 ? refusals.slice(0, 5).join(' ') : null}
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
