import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '@/components/ui/data-table';
import { Panel } from '@/components/ui/page';
import { JobStateBadge } from '@/components/ui/state-badge';
import { EmptyState, ErrorState } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import { jobState } from '@/features/jobs/job-state';
import type { CalendarJobsQuery as Data } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import classes from './calendars.module.css';
import { CalendarJobsQuery } from './queries';

type Row = NonNullable<Data['calendar']>['jobs'][number];

/** Which jobs go by a calendar; the first fifty of them. */
export function JobsPanel({ id, count }: { id: string; count: number }) {
  const { t, i18n } = useTranslation('calendars');
  const read = useRead({ query: CalendarJobsQuery, variables: { id, locale: i18n.language } });
  const rows = read.data?.calendar?.jobs;
  const columns = useColumns();
  return (
    <Panel title={t('jobs.title', { count })} flush>
      {read.error && !rows ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : (
        <DataTable
          label={t('jobs.label')}
          columns={columns}
          rows={rows}
          rowKey={(job) => job.id}
          rowHref={(job) => `/jobs/${job.id}`}
          skeletonRows={Math.min(4, Math.max(1, count))}
          empty={
            <EmptyState icon="jobs" title={t('jobs.none')}>
              {t('jobs.noneText')}
            </EmptyState>
          }
        />
      )}
      {rows && rows.length < count ? (
        <p className={classes.more}>{t('jobs.more', { count: count - rows.length })}</p>
      ) : null}
    </Panel>
  );
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation('calendars');
  return [
    {
      id: 'name',
      header: t('jobs.name'),
      title: true,
      cell: (job) => (
        <Link to="/jobs/$jobId" params={{ jobId: job.id }}>
          {job.name}
        </Link>
      ),
    },
    {
      id: 'state',
      header: t('jobs.state'),
      width: '130px',
      cell: (job) => <JobStateBadge state={jobState(job)} />,
    },
    { id: 'trigger', header: t('jobs.trigger'), cell: (job) => job.trigger.description },
    {
      id: 'next',
      header: t('jobs.next'),
      width: '150px',
      cell: (job) => (
        <TimeText at={job.enabled ? job.nextFireAt : null} jobZone={job.trigger.zone} />
      ),
    },
  ];
}
