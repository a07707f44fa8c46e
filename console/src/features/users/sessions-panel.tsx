import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { type Column, DataTable } from '@/components/ui/data-table';
import { Panel } from '@/components/ui/page';
import { EmptyState, ErrorLine, ErrorState, SlowHint } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { UserSessionsQuery as Data } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useRead } from '@/graphql/use-read';
import { EndUserSession, UserSessionsQuery } from './queries';

type Session = Data['userSessions'][number];

/** The browsers in which somebody is signed in, with the button that ends one. */
export function SessionsPanel({ user }: { user: string }) {
  const { t } = useTranslation('users');
  const read = useRead({ query: UserSessionsQuery, variables: { user } });
  const rows = read.data?.userSessions;
  const columns = useColumns();
  return (
    <Panel title={t('sessions')} flush>
      {read.error && rows ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {read.error && !rows ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : (
        <DataTable
          label={t('sessions')}
          columns={columns}
          rows={rows}
          rowKey={(session) => session.id}
          refreshing={read.refreshing}
          skeletonRows={2}
          empty={
            <EmptyState icon="user" title={t('noSessions.title')}>
              {t('noSessions.text')}
            </EmptyState>
          }
        />
      )}
      <SlowHint slow={read.slow} />
    </Panel>
  );
}

function useColumns(): Column<Session>[] {
  const { t } = useTranslation('users');
  return [
    {
      id: 'seen',
      header: t('lastSeen'),
      title: true,
      cell: (session) => (
        <>
          <TimeText at={session.lastSeenAt} />
          {session.current ? ` ${t('thisBrowser')}` : null}
        </>
      ),
    },
    { id: 'since', header: t('signedIn'), cell: (session) => <TimeText at={session.createdAt} /> },
    { id: 'until', header: t('until'), cell: (session) => <TimeText at={session.expiresAt} /> },
    {
      id: 'actions',
      header: t('actions'),
      width: '130px',
      align: 'end',
      bare: true,
      cell: (session) => <End session={session} />,
    },
  ];
}

function End({ session }: { session: Session }) {
  const { t } = useTranslation('users');
  const action = useMutationAction(EndUserSession, {
    pick: (d) => d.endSession,
    success: () => t('sessionEnded'),
  });
  return (
    <ActionButton
      atLeast="ADMIN"
      busy={action.busy}
      reason={session.current ? t('ownSession') : null}
      onClick={() => void action.run({ id: session.id })}
    >
      {t('endSession')}
    </ActionButton>
  );
}
