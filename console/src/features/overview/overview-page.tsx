import { useTranslation } from 'react-i18next';
import { Page, Panel } from '@/components/ui/page';
import { ErrorLine, ErrorState, SkeletonLines, SlowHint } from '@/components/ui/states';
import type { OverviewFieldsFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useLive } from '@/live/hooks';
import { Counters } from './counters';
import { FailuresPanel } from './failures-panel';
import { FirstSteps } from './first-steps';
import { MinutesPanel } from './minutes-panel';
import { NodesPanel } from './nodes-panel';
import classes from './overview.module.css';
import { OverviewChanged, OverviewQuery } from './queries';
import { UpcomingPanel } from './upcoming-panel';

/** How things stand, live: counters, the last hour, what failed, the nodes, what fires next. */
export function OverviewPage() {
  const { t } = useTranslation('overview');
  const read = useRead({ query: OverviewQuery, variables: {} });
  const pushed = useLive({ query: OverviewChanged, variables: {} });
  const overview = latest(read.data?.overview, pushed?.overviewChanged);
  return (
    <Page title={t('title')}>
      {read.error && overview ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {overview ? (
        <Standing overview={overview} />
      ) : read.error ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : (
        <Waiting />
      )}
      <SlowHint slow={read.slow} />
    </Page>
  );
}

// The pushed overview has no id by which the cache could merge it: the younger one counts.
function latest(
  a: OverviewFieldsFragment | undefined,
  b: OverviewFieldsFragment | undefined,
): OverviewFieldsFragment | undefined {
  if (!a || !b) return a ?? b;
  return Date.parse(a.at) > Date.parse(b.at) ? a : b;
}

function Standing({ overview }: { overview: OverviewFieldsFragment }) {
  const { online, suspect, offline, draining } = overview.nodes;
  const untouched = overview.jobs === 0 && online + suspect + offline + draining === 0;
  return (
    <>
      {untouched ? <FirstSteps /> : null}
      <Counters overview={overview} />
      <MinutesPanel minutes={overview.minutes} />
      <div className={classes.columns}>
        <FailuresPanel failures={overview.recentFailures} />
        <div className={classes.stack}>
          <UpcomingPanel upcoming={overview.upcoming} />
          <NodesPanel nodes={overview.nodes} slots={overview.slots} />
        </div>
      </div>
    </>
  );
}

function Waiting() {
  return (
    <>
      <div className={classes.tilesWaiting}>
        <Panel>
          <SkeletonLines lines={2} height={18} />
        </Panel>
      </div>
      <div className={classes.chartWaiting}>
        <Panel>
          <SkeletonLines lines={6} height={20} />
        </Panel>
      </div>
    </>
  );
}
