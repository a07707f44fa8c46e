import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '@/components/ui/form-dialog';
import { useToast } from '@/components/ui/toast';
import type { Deed } from '@/features/tasks/deeds';
import type { TasksSearch } from '@/features/tasks/search';
import type { BulkRowFragment } from '@/graphql/generated/graphql';
import { BulkForm } from './bulk-form';
import { BulkRunning } from './bulk-running';

/** What is to be done, and to which tasks: those named, or all that a filter matches. */
export type BulkAsk = { deed: Deed } & (
  | { tasks: readonly { id: string }[]; search?: undefined }
  | { tasks?: undefined; search: TasksSearch }
);

interface BulkDialogProps {
  /** Null while the dialog is closed. */
  ask: BulkAsk | null;
  onClose: () => void;
}

/** Asks before the same is done to many tasks, then shows how far it is; it goes on when the window is closed. */
export function BulkDialog({ ask, onClose }: BulkDialogProps) {
  const { t } = useTranslation('bulk');
  const { t: tasks } = useTranslation('tasks');
  const toast = useToast();
  const [made, setMade] = useState<BulkRowFragment | null>(null);
  const [ended, setEnded] = useState(false);
  const close = () => {
    if (made && !ended) toast.done(t('goesOn'), { text: t('watch'), to: `/bulk/${made.id}` });
    setMade(null);
    setEnded(false);
    onClose();
  };
  const title = (): string => {
    if (!ask) return '';
    if (ask.search) return t(`askAll.${ask.deed}`);
    return tasks(`ask.${ask.deed}`, { count: ask.tasks.length });
  };
  return (
    <FormDialog opened={ask !== null} onClose={close} size="lg" title={title()}>
      {!ask ? null : made ? (
        <BulkRunning made={made} onEnded={() => setEnded(true)} onClose={close} />
      ) : (
        <BulkForm ask={ask} onMade={setMade} onCancel={close} />
      )}
    </FormDialog>
  );
}
