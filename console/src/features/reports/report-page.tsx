import { ActionIcon, Select, TextInput, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { Icon } from '@/components/ui/icon';
import { Page, Panel } from '@/components/ui/page';
import { ErrorLine, ErrorState, SkeletonLines, SlowHint } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import { ZoneSelect } from '@/components/ui/zone-select';
import { AppNamesQuery } from '@/features/jobs/queries';
import type { MorningReportQuery as Answer } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { addDays, dateIn } from '@/time/civil';
import { useTimeSettings } from '@/time/view';
import { compare } from './figures';
import { MorningReportQuery } from './queries';
import { ReportLines } from './report-lines';
import classes from './reports.module.css';
import { SchedulesPanel } from './schedules-panel';
import { type ReportSearch, usualTime } from './search';

interface ReportPageProps {
  search: ReportSearch;
  onSearch: (change: Partial<ReportSearch>) => void;
}

/** What ran, failed, was late and was missed in the day before a morning, against the week before. */
export function ReportPage({ search, onSearch }: ReportPageProps) {
  const { t } = useTranslation('reports');
  const { ownZone } = useTimeSettings();
  const zone = search.zone ?? ownZone;
  const today = dateIn(new Date(), zone);
  const day = search.day ?? today;
  const read = useRead({
    query: MorningReportQuery,
    variables: { app: search.app ?? null, day, at: search.at ?? usualTime, zone },
  });
  const report = read.data?.morningReport;
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Controls
        search={search}
        day={day}
        today={today}
        zone={zone}
        onSearch={(change) => onSearch(change)}
      />
      {read.error && report ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {report ? (
        <Report report={report} zone={zone} />
      ) : (
        <Panel>
          {read.error ? (
            <ErrorState error={read.error} onRetry={read.refetch} />
          ) : (
            <SkeletonLines lines={8} height={20} />
          )}
        </Panel>
      )}
      <SlowHint slow={read.slow} />
      <SchedulesPanel />
    </Page>
  );
}

function Controls(props: {
  search: ReportSearch;
  day: string;
  today: string;
  zone: string;
  onSearch: (change: Partial<ReportSearch>) => void;
}) {
  const { search, day, today, zone, onSearch } = props;
  const { t } = useTranslation('reports');
  const [names] = useQuery({ query: AppNamesQuery });
  const go = (next: string) => onSearch({ day: next === today ? undefined : next });
  const step = (label: 'previous' | 'next', by: number) => (
    <Tooltip label={t(label)}>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={t(label)}
        disabled={by > 0 && day >= today}
        onClick={() => go(addDays(day, by))}
      >
        <Icon name={by > 0 ? 'chevronRight' : 'chevronLeft'} />
      </ActionIcon>
    </Tooltip>
  );
  return (
    <search className={classes.controls} aria-label={t('which')}>
      <span className={classes.days}>
        {step('previous', -1)}
        <TextInput
          type="date"
          aria-label={t('day')}
          max={today}
          value={day}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (value) go(value);
          }}
        />
        {step('next', 1)}
        <TextInput
          type="time"
          aria-label={t('until')}
          step={900}
          value={search.at ?? usualTime}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (value) onSearch({ at: value === usualTime ? undefined : value });
          }}
        />
      </span>
      <Select
        aria-label={t('app')}
        placeholder={t('allApps')}
        w={180}
        clearable
        searchable
        value={search.app ?? null}
        data={(names.data?.apps ?? []).map((app) => ({ value: app.id, label: app.name }))}
        onChange={(app) => onSearch({ app: app ?? undefined })}
      />
      <span className={classes.zone}>
        <ZoneSelect label={t('zone')} value={zone} onChange={(next) => onSearch({ zone: next })} />
      </span>
    </search>
  );
}

function Report({ report, zone }: { report: Answer['morningReport']; zone: string }) {
  const { t, i18n } = useTranslation('reports');
  const number = new Intl.NumberFormat(i18n.language);
  const share = new Intl.NumberFormat(i18n.language, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 0,
  });
  return (
    <>
      <Panel title={t('figures.title')}>
        <p className={classes.span}>
          <TimeText at={report.from} jobZone={zone} format="full" /> –{' '}
          <TimeText at={report.to} jobZone={zone} format="full" />
        </p>
        <dl className={classes.figures}>
          {compare(report.figures, report.week).map((figure) => (
            <div key={figure.name} data-worse={figure.worse || undefined}>
              <dt>{t(`figures.${figure.name}`)}</dt>
              <dd>{number.format(figure.now)}</dd>
              <dd className={classes.usual}>
                {figure.usual === null
                  ? null
                  : t('figures.usual', { usual: number.format(figure.usual) })}
                {figure.change === null || Math.abs(figure.change) < 0.005
                  ? null
                  : ` (${share.format(figure.change)})`}
                {figure.worse ? <span className="bf-sr"> {t('figures.worse')}</span> : null}
              </dd>
            </div>
          ))}
        </dl>
      </Panel>
      <div className={classes.lists}>
        <ReportLines kind="failures" lines={report.failures} total={Number(report.failedJobs)} />
        <ReportLines kind="missed" lines={report.missed} total={Number(report.missedJobs)} />
        <ReportLines kind="slow" lines={report.slow} total={Number(report.figures.slower)} />
        <ReportLines kind="running" lines={report.running} total={Number(report.figures.running)} />
      </div>
    </>
  );
}
