import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, ActionIconButton } from '@/components/ui/action-button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import type { BulkRowFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { RoleGuard } from '@/session/role';
import { CancelBulkOperation } from './queries';

interface StopButtonProps {
  bulk: Pick<BulkRowFragment, 'id' | 'state'>;
  /** As an icon, for rows of a table. */
  small?: boolean;
  /** Without asking: in the dialog that has just begun it. */
  atOnce?: boolean;
}

/** Stops an operation, after asking; nothing once it has ended, and for those who may not. */
export function StopButton({ bulk, small = false, atOnce = false }: StopButtonProps) {
  const { t } = useTranslation('bulk');
  const [asking, setAsking] = useState(false);
  const action = useMutationAction(CancelBulkOperation, {
    pick: (data) => data.cancelBulkOperation,
    success: () => t('stop.done'),
    refusals: atOnce ? 'toast' : 'form',
  });
  const close = () => {
    action.clear();
    setAsking(false);
  };
  const stop = async () => {
    const { payload } = await action.run({ id: bulk.id });
    if (payload) close();
  };
  const button = {
    atLeast: 'OPERATOR',
    icon: 'cancelled',
    busy: atOnce && action.busy,
    onClick: () => (atOnce ? void stop() : setAsking(true)),
  } as const;
  return (
    <RoleGuard atLeast="OPERATOR">
      {bulk.state !== 'RUNNING' ? null : small ? (
        <ActionIconButton {...button} label={t('stop.action')} />
      ) : (
        <ActionButton {...button}>{t('stop.action')}</ActionButton>
      )}
      <ConfirmDialog
        opened={asking}
        onClose={close}
        title={t('stop.title')}
        confirm={t('stop.action')}
        danger
        busy={action.busy}
        error={action.userErrors.map((e) => e.message).join(' ') || null}
        onConfirm={() => void stop()}
      >
        <p>{t('stop.text')}</p>
      </ConfirmDialog>
    </RoleGuard>
  );
}
