import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Page, Panel } from '@/components/ui/page';
import {
  EmptyState,
  ErrorLine,
  ErrorState,
  Notice,
  SkeletonLines,
  SlowHint,
} from '@/components/ui/states';
import type { JobRevisionsQuery as Answer } from '@/graphql/generated/graphql';
import { type Read, useRead } from '@/graphql/use-read';
import { useLive, useThrottled } from '@/live/hooks';
import { JobDetailChanged } from '../queries';
import { ComparePanel } from './compare-panel';
import { JobRevisionsQuery } from './queries';
import { RevisionList } from './revision-list';
import classes from './revisions.module.css';

/** What the address of the page says. */
export interface RevisionsSearch {
  /** The version that is looked at; the newest when absent. */
  show?: number | undefined;
  /** The one it is compared with; the version before it when absent. */
  with?: number | undefined;
}

interface RevisionsPageProps {
  id: string;
  search: RevisionsSearch;
  onSearch: (search: RevisionsSearch) => void;
}

/** As many as the server keeps. */
const kept = 100;
const step = 20;

/** Every kept version of a job: who made it and when, what differs between two, and the way back. */
export function RevisionsPage({ id, search, onSearch }: RevisionsPageProps) {
  const { t } = useTranslation('revisions');
  const { t: tj } = useTranslation('job');
  const [first, setFirst] = useState(step);
  const read = useRead({ query: JobRevisionsQuery, variables: { id, first } });
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
  return (
    <Page
      title={t('title')}
      crumbs={
        <>
          <Link to="/jobs">{tj('jobs')}</Link> /{' '}
          {job ? (
            <>
              <Link to="/jobs" search={{ app: job.app.id }}>
                {job.app.name}
              </Link>{' '}
              /{' '}
              <Link to="/jobs/$jobId" params={{ jobId: id }}>
                {job.name}
              </Link>
            </>
          ) : null}
        </>
      }
      lead={t('lead', { count: kept })}
    >
      {job ? (
        <Found
          job={job}
          read={read}
          search={search}
          onSearch={onSearch}
          onMore={() => setFirst((old) => Math.min(kept, old + step))}
        />
      ) : read.error ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : read.loading || read.refreshing ? (
        <Panel>
          <SkeletonLines lines={8} />
        </Panel>
      ) : (
        <EmptyState icon="search" title={tj('notFound.title')}>
          {tj('notFound.text')}
        </EmptyState>
      )}
      <SlowHint slow={read.slow} />
    </Page>
  );
}

type Job = NonNullable<Answer['job']>;

function Found(props: {
  job: Job;
  read: Read<Answer>;
  search: RevisionsSearch;
  onSearch: (search: RevisionsSearch) => void;
  onMore: () => void;
}) {
  const { job, read, search, onSearch } = props;
  const { t } = useTranslation('revisions');
  const rows = job.revisions.nodes;
  const newest = rows[0]?.number;
  const shown = search.show ?? newest;
  return (
    <>
      {read.error ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {job.deletedAt ? <Notice tone="info">{t('deleted')}</Notice> : null}
      {shown === undefined ? (
        <EmptyState icon="clock" title={t('none.title')}>
          {t('none.text')}
        </EmptyState>
      ) : (
        <div className={classes.columns}>
          <RevisionList
            rows={rows}
            shown={shown}
            zone={job.trigger.zone}
            more={job.revisions.pageInfo.hasNextPage && !read.refreshing ? props.onMore : null}
            onShow={(show) =>
              onSearch({ show, with: search.with === show ? undefined : search.with })
            }
          />
          <ComparePanel
            key={job.id}
            job={job}
            shown={shown}
            against={search.with ?? null}
            onAgainst={(against) => onSearch({ ...search, with: against ?? undefined })}
            onDone={() => {
              onSearch({});
              read.refetch();
            }}
          />
        </div>
      )}
    </>
  );
}
