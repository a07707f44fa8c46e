import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { type Column, DataTable } from '@/components/ui/data-table';
import { Icon } from '@/components/ui/icon';
import { EmptyState } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { KeyRowFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import classes from './apps.module.css';
import { RevokeAppKey } from './queries';

/** An app's keys, with the button that ends one. */
export function KeysTable({ keys }: { keys: readonly KeyRowFragment[] }) {
  const { t } = useTranslation('apps');
  const [ending, setEnding] = useState<KeyRowFragment | null>(null);
  const action = useMutationAction(RevokeAppKey, {
    pick: (d) => d.revokeAppKey,
    success: () => t('revoked'),
    refusals: 'form',
  });
  const close = () => {
    setEnding(null);
    action.clear();
  };
  const revoke = async () => {
    if (!ending) return;
    const { payload } = await action.run({ id: ending.id });
    if (payload) close();
  };
  return (
    <>
      <DataTable
        label={t('keys')}
        columns={useColumns(setEnding)}
        rows={keys}
        rowKey={(key) => key.id}
        empty={
          <EmptyState icon="key" title={t('noKeys.title')}>
            {t('noKeys.text')}
          </EmptyState>
        }
      />
      <ConfirmDialog
        opened={ending !== null}
        onClose={close}
        title={t('revokeTitle', { prefix: ending?.prefix })}
        confirm={t('revoke')}
        danger
        busy={action.busy}
        error={action.userErrors.map((e) => e.message).join(' ') || null}
        onConfirm={() => void revoke()}
      >
        {t('revokeText')}
      </ConfirmDialog>
    </>
  );
}

function useColumns(onRevoke: (key: KeyRowFragment) => void): Column<KeyRowFragment>[] {
  const { t } = useTranslation('apps');
  return [
    {
      id: 'prefix',
      header: t('prefix'),
      title: true,
      cell: (key) => <code className={classes.prefix}>{key.prefix}…</code>,
    },
    {
      id: 'state',
      header: t('state'),
      width: '130px',
      cell: (key) => (
        <span className={classes.state} data-off={key.revokedAt ? true : undefined}>
          <Icon name={key.revokedAt ? 'cancelled' : 'check'} size={14} />
          {key.revokedAt ? t('ended') : t('active')}
        </span>
      ),
    },
    {
      id: 'created',
      header: t('created'),
      width: '150px',
      cell: (key) => <TimeText at={key.createdAt} />,
    },
    {
      id: 'used',
      header: t('lastUsed'),
      width: '150px',
      cell: (key) => <TimeText at={key.lastUsedAt} empty={t('neverUsed')} />,
    },
    {
      id: 'actions',
      header: t('actions'),
      width: '120px',
      align: 'end',
      bare: true,
      cell: (key) =>
        key.revokedAt ? null : (
          <ActionButton atLeast="ADMIN" onClick={() => onRevoke(key)}>
            {t('revoke')}
          </ActionButton>
        ),
    },
  ];
}
