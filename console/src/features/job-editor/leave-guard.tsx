import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';

/** Asks before unsaved changes are lost, inside the console and when the tab closes. */
export function LeaveGuard({ isUnsaved }: { isUnsaved: () => boolean }) {
  const { t } = useTranslation('editor');
  const { t: tc } = useTranslation();
  const blocker = useBlocker({
    shouldBlockFn: isUnsaved,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  const stay = () => {
    if (blocker.status === 'blocked') blocker.reset();
  };
  return (
    <ConfirmDialog
      opened={blocker.status === 'blocked'}
      onClose={stay}
      title={t('leave.title')}
      confirm={tc('actions.discardChanges')}
      danger
      onConfirm={() => {
        if (blocker.status === 'blocked') blocker.proceed();
      }}
    >
      <p>{t('leave.text')}</p>
    </ConfirmDialog>
  );
}
