import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { DataTable } from '@/components/ui/data-table';
import { Page, Panel } from '@/components/ui/page';
import { Pager } from '@/components/ui/pager';
import { type Selection, useSelection } from '@/components/ui/selection';
import { EmptyState, ErrorLine, ErrorState, Notice, SlowHint } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import { type BulkAsk, BulkDialog } from '@/features/bulk/bulk-dialog';
import type { TaskRowFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useLive, useThrottled } from '@/live/hooks';
import { useCan } from '@/session/context';
import { AllMatching } from './all-matching';
import { useTaskColumns } from './columns';
import { DeedDialog, type Doing } from './deed-dialog';
import { can, deeds } from './deeds';
import { TaskListChanged, TasksQuery } from './queries';
import { activeFilters, isFailedQueue, pageSize, type TasksSearch, taskFilter } from './search';
import classes from './tasks.module.css';
import { TasksFilters } from './tasks-filters';

interface TasksPageProps {
  search: TasksSearch;
  /** Writes to the address; a change of a filter goes back to the first page. */
  onSearch: (change: Partial<TasksSearch>) => void;
}

/** Tasks, live: filters in the address; cancel, retry and discard from the row, of ticked rows, or of all that match. */
export function TasksPage({ search, onSearch }: TasksPageProps) {
  const { t } = useTranslation('tasks');
  const read = useTasks(search);
  const page = read.data?.tasks;
  const rows = page?.nodes;
  const selection = useSelection(useMemo(() => rows?.map((task) => task.id) ?? [], [rows]));
  const [doing, setDoing] = useState<Doing | null>(null);
  const [all, setAll] = useState<BulkAsk | null>(null);
  const operates = useCan('OPERATOR');
  const columns = useTaskColumns(setDoing);
  const failedQueue = isFailedQueue(search);

  return (
    <Page
      title={failedQueue ? t('failedQueue') : t('title')}
      lead={failedQueue ? t('failedLead') : undefined}
      actions={
        <>
          <Link to="/bulk" className={classes.bulkPage}>
            {t('bulkPage')}
          </Link>
          {operates ? (
            <AllMatching search={search} onDo={(deed) => setAll({ deed, search })} />
          ) : null}
        </>
      }
    >
      <TasksFilters search={search} onChange={onSearch} />
      {operates && selection.keys.length > 0 && rows ? (
        <BulkBar tasks={rows} selection={selection} onDo={setDoing} />
      ) : null}
      {read.error && rows ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      <Panel flush>
        {read.error && !rows ? (
          <ErrorState error={read.error} onRetry={read.refetch} />
        ) : (
          <DataTable
            label={failedQueue ? t('failedQueue') : t('title')}
            columns={columns}
            rows={rows}
            rowKey={(task) => task.id}
            rowHref={(task) => `/tasks/${task.id}`}
            // There is nothing to tick rows for when one may do nothing with them.
            {...(operates && { selection })}
            refreshing={read.refreshing}
            empty={<NoTasks failedQueue={failedQueue} filtered={activeFilters(search) > 0} />}
          />
        )}
        {page?.searchedTo ? (
          <SearchStopped
            at={page.searchedTo}
            onGoOn={() => onSearch({ after: page.pageInfo.endCursor ?? undefined })}
          />
        ) : null}
        <Pager
          page={{ after: search.after }}
          info={page?.pageInfo}
          shown={rows?.length ?? 0}
          total={page?.totalCount}
          onPage={({ after }) => onSearch({ after })}
        />
      </Panel>
      <SlowHint slow={read.slow} />
      <DeedDialog
        doing={doing}
        onClose={() => {
          setDoing(null);
          selection.clear();
        }}
      />
      <BulkDialog ask={all} onClose={() => setAll(null)} />
    </Page>
  );
}

function useTasks(search: TasksSearch) {
  const filter = useMemo(() => taskFilter(search), [search]);
  const read = useRead({
    query: TasksQuery,
    variables: { first: pageSize, after: search.after ?? null, filter },
  });
  const reread = useThrottled(read.refetch, 2_000);
  const known = read.data?.tasks.nodes;
  useLive({
    query: TaskListChanged,
    // States are not part of it: a task that leaves the filter must be seen leaving.
    variables: { filter: { ...filter, states: null } },
    onEvent: ({ taskChanged: task }) => {
      const fits = !filter.states || filter.states.includes(task.state);
      const listed = known?.some((row) => row.id === task.id) ?? false;
      if (fits !== listed && (listed || !search.after)) reread();
    },
  });
  return read;
}

function BulkBar(props: {
  tasks: TaskRowFragment[];
  selection: Selection;
  onDo: (doing: Doing) => void;
}) {
  const { t } = useTranslation('tasks');
  const { t: tc } = useTranslation();
  const chosen = props.tasks.filter((task) => props.selection.keys.includes(task.id));
  return (
    <section className={classes.bulk} aria-label={t('bulk')}>
      <span role="status">{tc('table.selected', { count: chosen.length })}</span>
      {deeds.map((deed) => {
        const fitting = chosen.filter((task) => can(deed, task.state));
        return (
          <ActionButton
            key={deed}
            atLeast="OPERATOR"
            reason={fitting.length === 0 ? t(`cannot.${deed}`) : null}
            onClick={() => props.onDo({ deed, tasks: fitting })}
          >
            {t(`bulkDeed.${deed}`, { count: fitting.length })}
          </ActionButton>
        );
      })}
      <Button variant="subtle" color="gray" onClick={props.selection.clear}>
        {tc('table.clear')}
      </Button>
    </section>
  );
}

/** A rare match is looked for among so many tasks a page: it may lie further back. */
function SearchStopped({ at, onGoOn }: { at: string; onGoOn: () => void }) {
  const { t } = useTranslation('tasks');
  return (
    <Notice tone="info">
      {t('searched.text')} <TimeText at={at} format="full" />{' '}
      <Button size="compact-xs" variant="light" onClick={onGoOn}>
        {t('searched.goOn')}
      </Button>
    </Notice>
  );
}

function NoTasks({ failedQueue, filtered }: { failedQueue: boolean; filtered: boolean }) {
  const { t } = useTranslation('tasks');
  if (failedQueue) {
    return (
      <EmptyState icon="check" title={t('noFailed.title')}>
        {t('noFailed.text')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={filtered ? 'search' : 'tasks'}
      title={t(filtered ? 'noMatch.title' : 'none.title')}
    >
      {t(filtered ? 'noMatch.text' : 'none.text')}
    </EmptyState>
  );
}
