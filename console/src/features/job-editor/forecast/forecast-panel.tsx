import { ActionIcon, SegmentedControl, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import { Panel } from '@/components/ui/page';
import { addDays, dateIn, daysBetween, formatDate } from '@/time/civil';
import { useNow } from '@/time/now';
import { DayRows } from './day-rows';
import { DayTip } from './day-tip';
import {
  daysOf,
  type ForecastDay,
  type ForecastInput,
  firstDate,
  fittingZoom,
  layOutDays,
  reach,
  type Zoom,
  zooms,
} from './forecast';
import classes from './forecast.module.css';
import { ForecastTable } from './forecast-table';
import { SixWeeks } from './six-weeks';

/** The coming fires on a strip of days on the job's clock: a day, a week, or six weeks. */
export function ForecastPanel({ input, zone }: { input: ForecastInput; zone: string }) {
  const { t } = useTranslation('editor');
  const now = useNow(60);
  const today = dateIn(now, zone);
  const [chosen, setChosen] = useState<Zoom | null>(null);
  const [looked, setLooked] = useState<string | null>(null);
  const zoom = chosen ?? fittingZoom(input.fires, now);
  const at = looked !== null && looked > today ? looked : today;
  const days = layOutDays(input, zone, firstDate(zoom, at, today), daysOf[zoom]);
  const pick = (date: string) => {
    setChosen('day');
    setLooked(date);
  };
  return (
    <Panel
      title={t('forecast.title')}
      actions={
        <div className={classes.tools}>
          <Paging zoom={zoom} at={at} today={today} onLook={setLooked} />
          <SegmentedControl
            aria-label={t('forecast.zoom')}
            value={zoom}
            onChange={(value) => setChosen(zooms.find((z) => z === value) ?? null)}
            data={zooms.map((value) => ({ value, label: t(`forecast.zooms.${value}`) }))}
          />
        </div>
      }
    >
      <div className={classes.forecast} data-bf-forecast="">
        <DayTip days={days} zone={zone}>
          {zoom === 'weeks' ? (
            <SixWeeks days={days} zone={zone} today={today} onPick={pick} />
          ) : (
            <DayRows days={days} zone={zone} now={now.getTime()} onPick={pick} />
          )}
        </DayTip>
        <Legend days={days} zone={zone} />
        <ForecastTable days={days.filter((day) => day.date >= today)} zone={zone} />
      </div>
    </Panel>
  );
}

interface PagingProps {
  zoom: Zoom;
  at: string;
  today: string;
  onLook: (date: string) => void;
}

function Paging({ zoom, at, today, onLook }: PagingProps) {
  const { t, i18n } = useTranslation('editor');
  if (zoom === 'weeks') return null;
  const step = daysOf[zoom];
  const passed = daysBetween(today, at);
  return (
    <>
      <span className={classes.at} aria-live="polite">
        {formatDate(at, i18n.language)}
      </span>
      <Step
        icon="chevronLeft"
        label={t('forecast.earlier')}
        off={passed <= 0}
        onClick={() => onLook(addDays(at, -Math.min(step, passed)))}
      />
      <Step
        icon="chevronRight"
        label={t('forecast.later')}
        off={passed + step >= reach}
        onClick={() => onLook(addDays(at, step))}
      />
    </>
  );
}

function Step(props: {
  icon: 'chevronLeft' | 'chevronRight';
  label: string;
  off: boolean;
  onClick: () => void;
}) {
  return (
    <Tooltip label={props.label}>
      <ActionIcon
        variant="default"
        aria-label={props.label}
        disabled={props.off}
        onClick={props.onClick}
      >
        <Icon name={props.icon} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Only what is on the strip now; the clock it is drawn on comes first. */
function Legend({ days, zone }: { days: readonly ForecastDay[]; zone: string }) {
  const { t } = useTranslation('editor');
  const exclusions = days.flatMap((day) => day.exclusions);
  const marks = [
    { id: 'fire', shown: true },
    { id: 'moved', shown: exclusions.some((e) => e.isMoved) },
    { id: 'out', shown: exclusions.some((e) => !e.isMoved) },
    { id: 'rest', shown: days.some((day) => day.named?.kind === 'REST') },
    { id: 'work', shown: days.some((day) => day.named?.kind === 'WORK') },
    { id: 'clock', shown: days.some((day) => day.clockChange) },
    { id: 'unknown', shown: days.some((day) => day.knownUntil < day.end) },
  ] as const;
  return (
    <ul className={classes.legend}>
      <li>{t('when.inZone', { zone })}</li>
      {marks
        .filter((mark) => mark.shown)
        .map(({ id }) => (
          <li key={id}>
            <span className={classes.sample} data-mark={id} />
            {t(`forecast.mark.${id}`)}
          </li>
        ))}
    </ul>
  );
}
