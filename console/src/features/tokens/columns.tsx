import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import type { Column } from '@/components/ui/data-table';
import { Badge, type Look } from '@/components/ui/state-badge';
import { TimeText } from '@/components/ui/time-text';
import type { TokenRowFragment } from '@/graphql/generated/graphql';
import { MayText } from './may-text';
import classes from './tokens.module.css';

type State = 'active' | 'revoked' | 'expired';

const looks: Record<State, Look> = {
  active: { tone: 'ok', icon: 'check' },
  revoked: { tone: 'stop', icon: 'cancelled' },
  expired: { tone: 'wait', icon: 'timedOut' },
};

function stateOf(token: TokenRowFragment): State {
  if (token.revokedAt) return 'revoked';
  return token.expiresAt && Date.parse(token.expiresAt) <= Date.now() ? 'expired' : 'active';
}

/** The columns of the list of API tokens. */
export function useTokenColumns(
  onRevoke: (token: TokenRowFragment) => void,
): Column<TokenRowFragment>[] {
  const { t } = useTranslation('tokens');
  const { t: tc } = useTranslation();
  return [
    { id: 'name', header: t('name'), title: true, cell: (token) => token.name },
    {
      id: 'prefix',
      header: t('prefix'),
      width: '150px',
      cell: (token) => <code className={classes.prefix}>{token.prefix}…</code>,
    },
    {
      id: 'state',
      header: t('state'),
      width: '120px',
      cell: (token) => <Badge look={looks[stateOf(token)]} label={t(stateOf(token))} />,
    },
    { id: 'may', header: t('may'), span: true, cell: (token) => <MayText token={token} /> },
    {
      id: 'ends',
      header: t('ends'),
      width: '130px',
      cell: (token) => <TimeText at={token.expiresAt} empty={tc('time.never')} />,
    },
    {
      id: 'used',
      header: t('lastUsed'),
      width: '130px',
      cell: (token) => <TimeText at={token.lastUsedAt} empty={t('neverUsed')} />,
    },
    {
      id: 'actions',
      header: t('actions'),
      width: '110px',
      align: 'end',
      bare: true,
      cell: (token) =>
        stateOf(token) === 'active' ? (
          <ActionButton atLeast="ADMIN" onClick={() => onRevoke(token)}>
            {t('revoke')}
          </ActionButton>
        ) : null,
    },
  ];
}
