import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '@/components/ui/data-table';
import { Icon } from '@/components/ui/icon';
import { Page, Panel } from '@/components/ui/page';
import { Pager } from '@/components/ui/pager';
import { useSelection } from '@/components/ui/selection';
import { EmptyState, ErrorLine, ErrorState, SlowHint } from '@/components/ui/states';
import type { JobRowFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useLive, useThrottled } from '@/live/hooks';
import { RoleGuard } from '@/session/role';
import { BulkBar } from './bulk-bar';
import { useJobColumns } from './columns';
import { JobsFilters } from './jobs-filters';
import { JobChanged, JobsQuery } from './queries';
import { activeFilters, type JobsSearch, jobFilter, pageSize } from './search';
import { TriggerDialog } from './trigger-dialog';

interface JobsPageProps {
  search: JobsSearch;
  /** Writes to the address; a change of a filter goes back to the first page. */
  onSearch: (change: Partial<JobsSearch>) => void;
}

/** All jobs: filters in the address, live rows, pause, resume and run from the row or in bulk. */
export function JobsPage({ search, onSearch }: JobsPageProps) {
  const { t } = useTranslation('jobs');
  const read = useJobs(search);
  const page = read.data?.jobs;
  const rows = page?.nodes;
  const selection = useSelection(useMemo(() => rows?.map((job) => job.id) ?? [], [rows]));
  const [running, setRunning] = useState<JobRowFragment | null>(null);
  const columns = useJobColumns(setRunning);

  return (
    <Page
      title={t('title')}
      actions={
        <RoleGuard atLeast="DEVELOPER">
          <Button
            renderRoot={(props) => <Link to="/jobs/new" {...props} />}
            leftSection={<Icon name="plus" size={14} />}
          >
            {t('create')}
          </Button>
        </RoleGuard>
      }
    >
      <JobsFilters search={search} onChange={onSearch} />
      {selection.keys.length > 0 && rows ? <BulkBar jobs={rows} selection={selection} /> : null}
      {read.error && rows ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      <Panel flush>
        {read.error && !rows ? (
          <ErrorState error={read.error} onRetry={read.refetch} />
        ) : (
          <DataTable
            label={t('title')}
            columns={columns}
            rows={rows}
            rowKey={(job) => job.id}
            rowHref={(job) => `/jobs/${job.id}`}
            selection={selection}
            refreshing={read.refreshing}
            empty={<NoJobs filtered={activeFilters(search) > 0} />}
          />
        )}
        <Pager
          page={{ after: search.after }}
          info={page?.pageInfo}
          shown={rows?.length ?? 0}
          total={page?.totalCount}
          onPage={({ after }) => onSearch({ after })}
        />
      </Panel>
      <SlowHint slow={read.slow} />
      <TriggerDialog job={running} onClose={() => setRunning(null)} />
    </Page>
  );
}

function useJobs(search: JobsSearch) {
  const { i18n } = useTranslation();
  const filter = useMemo(() => jobFilter(search), [search]);
  const locale = i18n.language;
  const read = useRead({
    query: JobsQuery,
    variables: {
      first: pageSize,
      after: search.after ?? null,
      filter,
      orderBy: search.order ?? 'NAME',
      locale,
    },
  });
  const reread = useThrottled(read.refetch, 2_000);
  const known = read.data?.jobs.nodes;
  useLive({
    query: JobChanged,
    variables: { filter, locale },
    onEvent: ({ jobChanged }) => {
      const isNew = !known?.some((job) => job.id === jobChanged.id);
      if (jobChanged.deletedAt || (isNew && !search.after)) reread();
    },
  });
  return read;
}

function NoJobs({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation('jobs');
  if (filtered) {
    return (
      <EmptyState icon="search" title={t('noMatch.title')}>
        {t('noMatch.text')}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="jobs" title={t('none.title')}>
      {t('none.text')}
    </EmptyState>
  );
}
