import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Fact, Facts } from '@/components/ui/facts';
import { JsonView } from '@/components/ui/json-view';
import { Page, Panel } from '@/components/ui/page';
import {
  EmptyState,
  ErrorLine,
  ErrorState,
  Notice,
  SkeletonLines,
  SlowHint,
} from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { TaskState } from '@/graphql/generated/enums';
import type { BackfillRowFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useLive } from '@/live/hooks';
import own from './backfill.module.css';
import { BackfillActions } from './backfill-actions';
import { BackfillBadge } from './backfill-badge';
import { BackfillTasks } from './backfill-tasks';
import { ProgressBar, shares } from './progress';
import { BackfillChanged, BackfillQuery } from './queries';

/** One backfill, live: how far it is, what came out, its tasks. */
export function BackfillPage({ id }: { id: string }) {
  const { t } = useTranslation('backfill');
  const read = useRead({ query: BackfillQuery, variables: { id } });
  const backfill = read.data?.backfill;
  useLive({ query: BackfillChanged, variables: { id }, skip: !backfill });
  const job = backfill?.job;
  const missing = read.data !== undefined && !backfill && !read.refreshing && !read.error;
  return (
    <Page
      title={job ? t('pageTitle', { name: job.name }) : t('one')}
      crumbs={
        job ? (
          <>
            <Link to="/jobs">{t('jobs')}</Link> /{' '}
            <Link to="/jobs/$jobId" params={{ jobId: job.id }}>
              {job.name}
            </Link>
          </>
        ) : (
          <Link to="/jobs">{t('jobs')}</Link>
        )
      }
      badge={backfill ? <BackfillBadge state={backfill.state} /> : null}
      actions={backfill ? <BackfillActions backfill={backfill} /> : null}
    >
      {read.error && backfill ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {read.error && !backfill ? <ErrorState error={read.error} onRetry={read.refetch} /> : null}
      {missing ? (
        <EmptyState icon="search" title={t('missing.title')}>
          {t('missing.text')}
        </EmptyState>
      ) : null}
      {backfill ? (
        <Loaded backfill={backfill} />
      ) : read.error || missing ? null : (
        <Panel>
          <SkeletonLines lines={8} />
        </Panel>
      )}
      <SlowHint slow={read.slow} />
    </Page>
  );
}

function Loaded({ backfill }: { backfill: BackfillRowFragment }) {
  const { t } = useTranslation('backfill');
  const zone = backfill.job.trigger.zone;
  return (
    <>
      {backfill.state === 'PAUSED' ? <Notice tone="info">{t('pausedText')}</Notice> : null}
      <Panel title={t('column.progress')}>
        <ProgressBar backfill={backfill} label={t('column.progress')} />
        <Counts backfill={backfill} />
      </Panel>
      <Panel title={t('facts')}>
        <Facts>
          <Fact label={t('dialog.from')}>
            <TimeText at={backfill.from} jobZone={zone} format="full" />
          </Fact>
          <Fact label={t('dialog.to')}>
            <TimeText at={backfill.to} jobZone={zone} format="full" />
          </Fact>
          <Fact label={t('which')}>{t(backfill.onlyMissing ? 'whichMissing' : 'whichAll')}</Fact>
          <Fact label={t('dialog.perMinute')}>{backfill.perMinute}</Fact>
          <Fact label={t('dialog.maxRunning')}>{backfill.maxRunning}</Fact>
          {backfill.state === 'RUNNING' ? (
            <Fact label={t('nextAt')}>
              <TimeText at={backfill.nextAt} jobZone={zone} empty={t('allMade')} />
            </Fact>
          ) : null}
          <Fact label={t('column.started')}>
            <TimeText at={backfill.createdAt} jobZone={zone} format="full" />
          </Fact>
          <Fact label={t('by')}>{backfill.createdBy}</Fact>
          {backfill.finishedAt ? (
            <Fact label={t('ended')}>
              <TimeText at={backfill.finishedAt} jobZone={zone} format="full" />
            </Fact>
          ) : null}
        </Facts>
        {backfill.parameters == null ? null : (
          <>
            <h3 className={own.sub}>{t('dialog.parameters')}</h3>
            <JsonView value={backfill.parameters} label={t('dialog.parameters')} />
          </>
        )}
      </Panel>
      <BackfillTasks backfill={backfill} />
    </>
  );
}

const linked: Partial<Record<string, TaskState[]>> = {
  succeeded: ['SUCCEEDED'],
  failed: ['FAILED'],
  cancelled: ['CANCELLED'],
  open: ['WAITING', 'RUNNING', 'RETRYING'],
};

/** The parts of the bar in numbers; those that are tasks lead to them. */
function Counts({ backfill }: { backfill: BackfillRowFragment }) {
  const { t, i18n } = useTranslation('backfill');
  const number = new Intl.NumberFormat(i18n.language);
  const of = shares(backfill);
  return (
    <dl className={own.counts}>
      {(['total', 'succeeded', 'failed', 'cancelled', 'open', 'present', 'left'] as const).map(
        (part) => {
          const states = linked[part];
          return (
            <div key={part} data-part={part}>
              <dt>{t(`part.${part}`)}</dt>
              <dd>
                {states && of[part] > 0 ? (
                  <Link to="/tasks" search={{ backfill: backfill.id, states }}>
                    {number.format(of[part])}
                  </Link>
                ) : (
                  number.format(of[part])
                )}
              </dd>
            </div>
          );
        },
      )}
    </dl>
  );
}
