import { Select } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { ActionButton } from '@/components/ui/action-button';
import { type Column, DataTable } from '@/components/ui/data-table';
import { FilterBar } from '@/components/ui/filter-bar';
import { Page, Panel } from '@/components/ui/page';
import { EmptyState, ErrorLine, ErrorState, SlowHint } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import { AppNamesQuery } from '@/features/jobs/queries';
import type { CalendarRowFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { weekdayNames } from '@/time/week';
import { CalendarDialog } from './calendar-dialog';
import classes from './calendars.module.css';
import { CalendarsQuery } from './queries';
import type { CalendarsSearch } from './search';
import { weekText } from './week';

interface CalendarsPageProps {
  search: CalendarsSearch;
  onSearch: (change: CalendarsSearch) => void;
}

/** The calendars of all apps, or of one: which days are working days. */
export function CalendarsPage({ search, onSearch }: CalendarsPageProps) {
  const { t } = useTranslation('calendars');
  const navigate = useNavigate();
  const read = useRead({ query: CalendarsQuery, variables: { app: search.app ?? null } });
  const [names] = useQuery({ query: AppNamesQuery });
  const [creating, setCreating] = useState(false);
  const rows = read.data?.calendars;
  const apps = (names.data?.apps ?? []).map((app) => ({ value: app.id, label: app.name }));
  const columns = useColumns();
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <ActionButton
          atLeast="DEVELOPER"
          primary
          icon="plus"
          reason={names.data && apps.length === 0 ? t('appFirst') : null}
          onClick={() => setCreating(true)}
        >
          {t('create')}
        </ActionButton>
      }
    >
      <FilterBar active={search.app ? 1 : 0} onReset={() => onSearch({ app: undefined })}>
        <Select
          aria-label={t('app')}
          placeholder={t('app')}
          w={200}
          clearable
          searchable
          value={search.app ?? null}
          data={apps}
          onChange={(app) => onSearch({ app: app ?? undefined })}
        />
      </FilterBar>
      {read.error && rows ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      <Panel flush>
        {read.error && !rows ? (
          <ErrorState error={read.error} onRetry={read.refetch} />
        ) : (
          <DataTable
            label={t('title')}
            columns={columns}
            rows={rows}
            rowKey={(calendar) => calendar.id}
            rowHref={(calendar) => `/calendars/${calendar.id}`}
            refreshing={read.refreshing}
            skeletonRows={3}
            empty={
              <EmptyState icon="calendars" title={t(search.app ? 'noneOfApp' : 'none.title')}>
                {t('none.text')}
              </EmptyState>
            }
          />
        )}
      </Panel>
      <SlowHint slow={read.slow} />
      <CalendarDialog
        opened={creating}
        apps={apps}
        app={search.app}
        onClose={() => setCreating(false)}
        onMade={(calendarId) =>
          void navigate({ to: '/calendars/$calendarId', params: { calendarId } })
        }
      />
    </Page>
  );
}

function useColumns(): Column<CalendarRowFragment>[] {
  const { t, i18n } = useTranslation('calendars');
  const names = weekdayNames(i18n.language, 'short');
  return [
    {
      id: 'name',
      header: t('name'),
      title: true,
      cell: (calendar) => (
        <Link to="/calendars/$calendarId" params={{ calendarId: calendar.id }}>
          {calendar.name}
        </Link>
      ),
    },
    { id: 'app', header: t('app'), cell: (calendar) => calendar.app.name },
    {
      id: 'description',
      header: t('description'),
      cell: (calendar) =>
        calendar.description ? <span className={classes.clamp}>{calendar.description}</span> : null,
    },
    {
      id: 'rest',
      header: t('restDays'),
      width: '150px',
      cell: (calendar) => weekText(calendar.restDays, names, i18n.language) || t('noRestDay'),
    },
    {
      id: 'quiet',
      header: t('quiet.column'),
      width: '120px',
      align: 'end',
      cell: (calendar) => calendar.quietWindows.length,
    },
    {
      id: 'jobs',
      header: t('jobs.column'),
      width: '90px',
      align: 'end',
      cell: (calendar) => calendar.jobCount,
    },
    {
      id: 'updated',
      header: t('updated'),
      width: '140px',
      cell: (calendar) => <TimeText at={calendar.updatedAt} />,
    },
  ];
}
