import { ActionIcon, Tooltip } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import { Panel } from '@/components/ui/page';
import type { CalendarDetailFragment } from '@/graphql/generated/graphql';
import { useCan } from '@/session/context';
import { dateIn } from '@/time/civil';
import { useNow } from '@/time/now';
import { useZone } from '@/time/view';
import classes from './calendars.module.css';
import { DayDialog, type Span } from './day-dialog';
import { layOutYear, type Month, rangesOf } from './days';
import { NamedDays } from './named-days';
import { positionsOf } from './week';
import { YearView } from './year-view';

interface YearPanelProps {
  calendar: CalendarDetailFragment;
  year: number;
  onYear: (year: number) => void;
}

/** A year of the calendar to look at and to mark days in. */
export function YearPanel({ calendar, year, onYear }: YearPanelProps) {
  const { t } = useTranslation('calendars');
  const mayEdit = useCan('DEVELOPER');
  const today = dateIn(useNow(60), useZone());
  const [span, setSpan] = useState<Span | null>(null);
  const months = useMemo(
    () =>
      layOutYear(
        {
          days: calendar.days,
          restDays: positionsOf(calendar.restDays),
          quietDays: calendar.quietWindows.map((w) => positionsOf(w.days)),
        },
        year,
      ),
    [calendar, year],
  );
  const own = calendar.days.filter((day) => day.date.startsWith(`${year}-`));
  const shown = months.flatMap((month) => month.days);
  return (
    <>
      <Panel title={String(year)} actions={<YearSteps year={year} onYear={onYear} />}>
        <div className={classes.stack}>
          <p className={classes.hint}>{t(mayEdit ? 'year.hint' : 'year.lead')}</p>
          <YearView
            months={months}
            today={today}
            onPick={mayEdit ? (date) => setSpan({ from: date, to: date }) : undefined}
            onLeave={(date) => onYear(Number(date.slice(0, 4)))}
          />
          <Legend months={months} calendar={calendar} />
        </div>
      </Panel>
      <Panel title={t('named.title', { year })}>
        {own.length === 0 ? (
          <p className={classes.hint}>{t('named.none')}</p>
        ) : (
          <NamedDays ranges={rangesOf(own)} onPick={mayEdit ? setSpan : undefined} />
        )}
      </Panel>
      <DayDialog
        calendar={calendar}
        span={span}
        isWork={shown.find((day) => day.date === span?.from)?.isWork ?? true}
        onClose={() => setSpan(null)}
      />
    </>
  );
}

function YearSteps({ year, onYear }: { year: number; onYear: (year: number) => void }) {
  const { t } = useTranslation('calendars');
  const steps = [
    { icon: 'chevronLeft', label: t('year.previous'), to: year - 1 },
    { icon: 'chevronRight', label: t('year.next'), to: year + 1 },
  ] as const;
  return (
    <span className={classes.steps}>
      {steps.map((step) => (
        <Tooltip key={step.icon} label={step.label}>
          <ActionIcon variant="default" aria-label={step.label} onClick={() => onYear(step.to)}>
            <Icon name={step.icon} />
          </ActionIcon>
        </Tooltip>
      ))}
    </span>
  );
}

/** What the marks mean, with how many days of the year bear them. */
function Legend(props: { months: readonly Month[]; calendar: CalendarDetailFragment }) {
  const { t } = useTranslation('calendars');
  const days = props.months.flatMap((month) => month.days);
  const daily = props.calendar.quietWindows.filter((w) => w.days.length === 0);
  const count = (is: (day: (typeof days)[number]) => boolean) => days.filter(is).length;
  const marks = [
    { id: 'week', days: count((day) => !day.isWork && !day.named) },
    { id: 'rest', days: count((day) => day.named?.kind === 'REST') },
    { id: 'work', days: count((day) => day.named?.kind === 'WORK') },
    { id: 'quiet', days: count((day) => day.isQuiet) },
  ] as const;
  return (
    <ul className={classes.legend}>
      <li>{t('legend.working', { count: count((day) => day.isWork) })}</li>
      {marks
        .filter((mark) => mark.days > 0)
        .map((mark) => (
          <li key={mark.id}>
            <span className={classes.sample} data-mark={mark.id} />
            {t(`legend.${mark.id}`, { count: mark.days })}
          </li>
        ))}
      {daily.length > 0 ? (
        <li>{t('legend.daily', { times: daily.map((w) => `${w.from}–${w.to}`).join(', ') })}</li>
      ) : null}
    </ul>
  );
}
