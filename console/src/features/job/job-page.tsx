import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page, Panel } from '@/components/ui/page';
import { JobStateBadge } from '@/components/ui/state-badge';
import {
  EmptyState,
  ErrorLine,
  ErrorState,
  Notice,
  SkeletonLines,
  SlowHint,
} from '@/components/ui/states';
import { BackfillsPanel } from '@/features/backfill/backfills-panel';
import { JobIncidentsPanel } from '@/features/incidents/job-incidents-panel';
import { jobState } from '@/features/jobs/job-state';
import type { JobDetailFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useLive, useThrottled } from '@/live/hooks';
import { DependenciesPanel } from './dependencies-panel';
import classes from './job.module.css';
import { JobActions } from './job-actions';
import { JobRuns } from './job-runs';
import { JoinsPanel } from './joins-panel';
import { JobDetailChanged, JobQuery } from './queries';
import { RulesPanel } from './rules-panel';
import { SchedulePanel } from './schedule-panel';
import { SkippedPanel } from './skipped-panel';
import { StatsPanel } from './stats-panel';
import { WhyPanel } from './why-panel';

interface JobPageProps {
  id: string;
  /** The instant asked about in "Why did it not run?". */
  why: string | undefined;
  onWhy: (at: string | undefined) => void;
}

/** One job: when it fires, how it fared, its last runs live, its rules and everything one can do with it. */
export function JobPage({ id, why, onWhy }: JobPageProps) {
  const { t, i18n } = useTranslation('job');
  const read = useRead({ query: JobQuery, variables: { id, locale: i18n.language } });
  const job = read.data?.job;
  const reread = useThrottled(read.refetch, 2_000);
  useLive({
    query: JobDetailChanged,
    variables: { filter: job ? { app: job.app.id, search: job.name } : null },
    skip: !job,
    onEvent: ({ jobChanged }) => {
      if (jobChanged.id === id) reread();
    },
  });

  if (job) return <Found job={job} read={read} why={why} onWhy={onWhy} />;
  return (
    <Page title={t('title')} crumbs={<Link to="/jobs">{t('jobs')}</Link>}>
      {read.error ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : read.loading || read.refreshing ? (
        <Panel>
          <SkeletonLines lines={8} />
        </Panel>
      ) : (
        <EmptyState icon="search" title={t('notFound.title')}>
          {t('notFound.text')}
        </EmptyState>
      )}
      <SlowHint slow={read.slow} />
    </Page>
  );
}

function Found({
  job,
  read,
  why,
  onWhy,
}: Omit<JobPageProps, 'id'> & {
  job: JobDetailFragment;
  read: {
    error: Parameters<typeof ErrorLine>[0]['error'] | null;
    slow: boolean;
    refetch: () => void;
  };
}) {
  const { t } = useTranslation('job');
  const zone = job.trigger.zone;
  return (
    <Page
      title={job.name}
      badge={<JobStateBadge state={jobState(job)} />}
      crumbs={
        <>
          <Link to="/jobs">{t('jobs')}</Link> /{' '}
          <Link to="/jobs" search={{ app: job.app.id }}>
            {job.app.name}
          </Link>
        </>
      }
      lead={job.description || null}
      actions={job.deletedAt ? null : <JobActions job={job} />}
    >
      {read.error ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {job.deletedAt ? <Notice tone="info">{t('deleted')}</Notice> : null}
      {job.invalidReason ? <Notice tone="fail">{job.invalidReason}</Notice> : null}
      {job.warnings.map((warning) => (
        <Notice key={warning} tone="retry">
          {warning}
        </Notice>
      ))}
      <div className={classes.columns}>
        <div className={classes.main}>
          <StatsPanel stats={job.stats} />
          {job.deletedAt ? null : <JobIncidentsPanel job={job} />}
          <WhyPanel jobId={job.id} zone={zone} at={why} suggestion={job.lastFireAt} onAsk={onWhy} />
          <JobRuns jobId={job.id} zone={zone} />
          {job.trigger.kind === 'DEPENDENCY' ? <JoinsPanel job={job} /> : null}
          <BackfillsPanel jobId={job.id} zone={zone} />
          <SkippedPanel jobId={job.id} skipped={job.skippedFires} zone={zone} />
        </div>
        <div className={classes.side}>
          <SchedulePanel job={job} />
          <DependenciesPanel job={job} />
          <RulesPanel job={job} />
        </div>
      </div>
      <SlowHint slow={read.slow} />
    </Page>
  );
}
