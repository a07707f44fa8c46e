import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page, Panel } from '@/components/ui/page';
import { EmptyState, ErrorLine, ErrorState, SkeletonLines, SlowHint } from '@/components/ui/states';
import type { CalendarDetailFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { CalendarActions } from './calendar-actions';
import { JobsPanel } from './jobs-panel';
import { CalendarQuery } from './queries';
import { QuietPanel } from './quiet-panel';
import type { CalendarSearch } from './search';
import { YearPanel } from './year-panel';

interface CalendarPageProps {
  id: string;
  search: CalendarSearch;
  onSearch: (change: CalendarSearch) => void;
}

/** One calendar: its year, its quiet times, and which jobs go by it. */
export function CalendarPage({ id, search, onSearch }: CalendarPageProps) {
  const { t } = useTranslation('calendars');
  const read = useRead({ query: CalendarQuery, variables: { id } });
  const calendar = read.data?.calendar;
  if (calendar) {
    return (
      <Page
        title={calendar.name}
        crumbs={
          <>
            <Link to="/calendars">{t('title')}</Link> /{' '}
            <Link to="/calendars" search={{ app: calendar.app.id }}>
              {calendar.app.name}
            </Link>
          </>
        }
        lead={calendar.description || null}
        actions={<CalendarActions calendar={calendar} year={yearOf(search)} />}
      >
        {read.error ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
        <Loaded calendar={calendar} year={yearOf(search)} onSearch={onSearch} />
        <SlowHint slow={read.slow} />
      </Page>
    );
  }
  return (
    <Page title={t('one')} crumbs={<Link to="/calendars">{t('title')}</Link>}>
      {read.error ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : read.loading || read.refreshing ? (
        <Panel>
          <SkeletonLines lines={12} />
        </Panel>
      ) : (
        <EmptyState icon="calendars" title={t('missing.title')}>
          {t('missing.text')}
        </EmptyState>
      )}
      <SlowHint slow={read.slow} />
    </Page>
  );
}

const yearOf = (search: CalendarSearch) => search.year ?? new Date().getFullYear();

function Loaded(props: {
  calendar: CalendarDetailFragment;
  year: number;
  onSearch: (change: CalendarSearch) => void;
}) {
  const { calendar, year, onSearch } = props;
  return (
    <>
      <YearPanel calendar={calendar} year={year} onYear={(next) => onSearch({ year: next })} />
      <QuietPanel calendar={calendar} />
      <JobsPanel id={calendar.id} count={calendar.jobCount} />
    </>
  );
}
