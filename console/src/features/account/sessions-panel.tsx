import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { type Column, DataTable } from '@/components/ui/data-table';
import { Panel } from '@/components/ui/page';
import { ErrorState } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { OwnSessionRowFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useRead } from '@/graphql/use-read';
import { EndOwnSession, OwnSessionsQuery } from './queries';

/** The browsers in which whoever is signed in is signed in, with the button that ends one. */
export function SessionsPanel() {
  const { t } = useTranslation('account');
  const read = useRead({ query: OwnSessionsQuery, variables: {} });
  const action = useMutationAction(EndOwnSession, {
    pick: (data) => data.endSession,
    success: () => t('sessions.ended'),
  });
  const end = async (session: OwnSessionRowFragment) => {
    const { payload } = await action.run({ id: session.id });
    if (payload) read.refetch();
  };
  const columns = useColumns((session) => void end(session));
  return (
    <Panel title={t('sessions.title')} flush>
      {read.error && !read.data ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : (
        <DataTable
          label={t('sessions.title')}
          columns={columns}
          rows={read.data?.sessions}
          rowKey={(session) => session.id}
          refreshing={read.refreshing}
          skeletonRows={2}
          empty={<p>{t('sessions.none')}</p>}
        />
      )}
    </Panel>
  );
}

function useColumns(
  onEnd: (session: OwnSessionRowFragment) => void,
): Column<OwnSessionRowFragment>[] {
  const { t } = useTranslation('account');
  return [
    {
      id: 'agent',
      header: t('sessions.browser'),
      title: true,
      cell: (session) => (
        <>
          {browserName(session.agent) ?? t('sessions.unknown')}
          {session.current ? ` · ${t('sessions.this')}` : ''}
        </>
      ),
    },
    {
      id: 'method',
      header: t('sessions.method'),
      width: '110px',
      cell: (session) => t(`sessions.by.${session.method}`),
    },
    {
      id: 'address',
      header: t('sessions.address'),
      width: '130px',
      cell: (session) => session.address || '—',
    },
    {
      id: 'seen',
      header: t('sessions.seen'),
      width: '130px',
      cell: (session) => <TimeText at={session.lastSeenAt} />,
    },
    {
      id: 'actions',
      header: t('sessions.actions'),
      width: '110px',
      align: 'end',
      bare: true,
      cell: (session) =>
        session.current ? null : (
          <ActionButton atLeast="VIEWER" onClick={() => onEnd(session)}>
            {t('sessions.end')}
          </ActionButton>
        ),
    },
  ];
}

/** Browser and system of a User-Agent, as far as people care; null when it says nothing. */
export function browserName(agent: string): string | null {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\/[\d.]+/.exec(agent)?.[1];
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|CrOS|Linux)/.exec(agent)?.[1];
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser ?? ''] ?? browser;
  const os = { 'Mac OS X': 'macOS', CrOS: 'ChromeOS' }[system ?? ''] ?? system;
  if (name && os) return `${name}, ${os}`;
  return name ?? os ?? (agent.slice(0, 40) || null);
}
