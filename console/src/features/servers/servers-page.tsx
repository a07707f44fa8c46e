import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Page, Panel } from '@/components/ui/page';
import { ErrorLine, ErrorState, SkeletonLines, SlowHint } from '@/components/ui/states';
import { useRead } from '@/graphql/use-read';
import { useLive, useThrottled } from '@/live/hooks';
import { PartitionStrip } from './partition-strip';
import { sharesOf } from './partitions';
import { ServerChanged, ServersQuery } from './queries';
import { ServersTable } from './servers-table';
import { byUrgency } from './verdict';
import { VerdictBox } from './verdict-box';

/** The servers, live: whether all is well, who leads what, and each in a row. */
export function ServersPage() {
  const { t } = useTranslation('servers');
  const read = useServers();
  const servers = read.data?.servers;
  const shares = useMemo(() => sharesOf(servers ?? []), [servers]);
  const rows = useMemo(() => servers && byUrgency(servers), [servers]);
  return (
    <Page title={t('title')} lead={t('lead')}>
      {read.error && servers ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {servers && servers.length > 0 ? <VerdictBox servers={servers} /> : null}
      {servers?.length === 0 ? null : (
        <Panel title={t('strip.title')}>
          {servers ? <PartitionStrip shares={shares} /> : <SkeletonLines lines={4} height={20} />}
        </Panel>
      )}
      <Panel flush>
        {read.error && !servers ? (
          <ErrorState error={read.error} onRetry={read.refetch} />
        ) : (
          <ServersTable servers={rows} owners={shares.owners} refreshing={read.refreshing} />
        )}
      </Panel>
      <SlowHint slow={read.slow} />
    </Page>
  );
}

function useServers() {
  const read = useRead({ query: ServersQuery, variables: {} });
  const known = read.data?.servers;
  const reread = useThrottled(read.refetch, 2_000);
  useLive({
    query: ServerChanged,
    variables: {},
    onEvent: ({ serverChanged }) => {
      if (known && !known.some((server) => server.id === serverChanged.id)) reread();
    },
  });
  return read;
}
