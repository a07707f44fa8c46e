import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '@/components/ui/data-table';
import { DurationText } from '@/components/ui/duration-text';
import { MoreRows, useFirstRows } from '@/components/ui/more-rows';
import { ServerStateBadge } from '@/components/ui/state-badge';
import { EmptyState } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { ServerRowFragment } from '@/graphql/generated/graphql';
import { formatDuration, parseDuration } from '@/time/duration';
import { Mark } from './partition-strip';
import type { Owner } from './partitions';
import classes from './servers.module.css';
import { lagOf, lateFrom } from './verdict';

/** From this offset on the clock is worth a look; the server itself warns later. In milliseconds. */
const offsetFrom = 500;

interface ServersTableProps {
  /** In the order to show; undefined while they are on their way. */
  servers: readonly ServerRowFragment[] | undefined;
  owners: readonly Owner[];
  refreshing: boolean;
}

export function ServersTable({ servers, owners, refreshing }: ServersTableProps) {
  const { t } = useTranslation('servers');
  const first = useFirstRows(servers, 50);
  return (
    <>
      <DataTable
        label={t('title')}
        columns={useColumns(new Map(owners.map((owner) => [owner.server.id, owner])))}
        rows={first.shown}
        rowKey={(server) => server.id}
        refreshing={refreshing}
        skeletonRows={3}
        empty={
          <EmptyState icon="servers" title={t('none.title')}>
            {t('none.text')}
          </EmptyState>
        }
      />
      <MoreRows {...first} />
    </>
  );
}

function useColumns(owners: ReadonlyMap<string, Owner>): Column<ServerRowFragment>[] {
  const { t, i18n } = useTranslation('servers');
  const number = new Intl.NumberFormat(i18n.language);
  return [
    {
      id: 'name',
      header: t('name'),
      title: true,
      cell: (server) => <Name server={server} owner={owners.get(server.id)} />,
    },
    {
      id: 'state',
      header: t('state'),
      width: '118px',
      cell: (server) => (
        <ServerStateBadge
          state={server.state === 'LIVE' && server.degraded.length > 0 ? 'DEGRADED' : server.state}
        />
      ),
    },
    {
      id: 'partitions',
      header: t('partitions'),
      width: '150px',
      cell: (server) => (
        <>
          {server.partitions.length}{' '}
          <span className={classes.quiet}>
            {t('groups', { count: server.groups, shown: number.format(server.groups) })}
          </span>
        </>
      ),
    },
    { id: 'lag', header: t('lag'), width: '92px', cell: (server) => <Lag server={server} /> },
    {
      id: 'clock',
      header: t('clock'),
      width: '92px',
      cell: (server) => <Offset value={server.clockOffset} />,
    },
    {
      id: 'locks',
      header: t('locks'),
      width: '104px',
      cell: (server) => (server.locks ? t(`lockMode.${server.locks}`) : t('unknown')),
    },
    {
      id: 'version',
      header: t('version'),
      width: '88px',
      cell: (server) => <span className={classes.break}>{server.version}</span>,
    },
    {
      id: 'started',
      header: t('started'),
      width: '130px',
      cell: (server) => <TimeText at={server.startedAt} />,
    },
    {
      id: 'seen',
      header: t('lastSeen'),
      width: '104px',
      cell: (server) => <TimeText at={server.lastSeenAt} format="relative" />,
    },
  ];
}

function Name({ server, owner }: { server: ServerRowFragment; owner: Owner | undefined }) {
  const { t } = useTranslation('servers');
  return (
    <span className={classes.name}>
      {owner ? <Mark colour={owner.colour} letter={owner.letter} /> : null}
      <span className={classes.break}>
        {server.name} {server.self ? <span className={classes.self}>{t('self')}</span> : null}
      </span>
    </span>
  );
}

function Lag({ server }: { server: ServerRowFragment }) {
  const { t } = useTranslation('servers');
  if (server.state === 'LOST') return null;
  if (server.lag === null) return <span className={classes.quiet}>{t('keepsUp')}</span>;
  return (
    <span className={classes.figure} data-tone={lagOf(server) >= lateFrom ? 'retry' : undefined}>
      <DurationText value={server.lag} />
    </span>
  );
}

/** The clock's distance from the database's, with its sign. */
function Offset({ value }: { value: string }) {
  const ms = parseDuration(value) ?? 0;
  const tone = Math.abs(ms) >= offsetFrom ? 'retry' : undefined;
  return (
    <span className={classes.figure} data-tone={tone}>
      {ms > 0 ? '+' : ''}
      {formatDuration(Math.round(ms))}
    </span>
  );
}
