import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { fullTime, isZone, relativeTime, shortTime, wallTime } from '@/time/format';
import { useNow } from '@/time/now';
import { useTimeSettings, useZone } from '@/time/view';
import classes from './time-text.module.css';

interface TimeTextProps {
  /** RFC 3339; null shows `empty`. */
  at: string | null | undefined;
  /** The job's zone, for the view "job's zone" and the tooltip. */
  jobZone?: string | null | undefined;
  /** short: this year without the year. full: always whole. relative: "in 5 min". both: short and relative. */
  format?: 'short' | 'full' | 'relative' | 'both';
  empty?: string;
}

/** An instant on the wall clock the person chose; its tooltip has every view and the distance from now. */
export function TimeText({ at, jobZone, format = 'short', empty }: TimeTextProps) {
  const { t } = useTranslation();
  if (!at) return <span className={classes.none}>{empty ?? t('time.none')}</span>;
  return <Instant at={at} jobZone={jobZone} format={format} />;
}

function Instant({
  at,
  jobZone,
  format,
}: { at: string; jobZone?: string | null | undefined } & Required<Pick<TimeTextProps, 'format'>>) {
  const zone = useZone(jobZone);
  const { view } = useTimeSettings();
  const date = new Date(at);
  const counts = format === 'relative' || format === 'both';
  // A text that counts every second is only worth it near the present.
  const now = useNow(counts && Math.abs(date.getTime() - Date.now()) < 120_000 ? 1 : 20);
  const { i18n } = useTranslation();
  const text = format === 'full' ? fullTime(date, zone) : shortTime(date, zone, now);
  const relative = relativeTime(date, now, i18n.language);
  // Rows of one table may lie in different zones in this view: say which.
  const offset = view === 'job' && format !== 'relative' ? wallTime(date, zone).offset : null;
  return (
    <Tooltip label={<AllViews date={date} jobZone={jobZone} now={now} />} maw={340}>
      <time dateTime={at} className={format === 'both' ? classes.both : classes.time}>
        {format === 'relative' ? relative : format === 'both' ? <span>{text}</span> : text}
        {offset ? <span className={classes.offset}>{offset}</span> : null}
        {format === 'both' ? <span className={classes.relative}>{relative}</span> : null}
      </time>
    </Tooltip>
  );
}

function AllViews({
  date,
  jobZone,
  now,
}: {
  date: Date;
  jobZone?: string | null | undefined;
  now: Date;
}) {
  const { t, i18n } = useTranslation();
  const { ownZone } = useTimeSettings();
  const rows = [
    { label: t('time.utc'), zone: 'UTC' },
    { label: t('time.browser'), zone: ownZone },
    ...(jobZone && isZone(jobZone) ? [{ label: t('time.job'), zone: jobZone }] : []),
  ];
  return (
    <span className={classes.views}>
      {rows.map((row) => (
        <span key={row.label} className={classes.view}>
          <span>{row.label}</span>
          <span>
            {fullTime(date, row.zone)} {row.zone === 'UTC' ? '' : wallTime(date, row.zone).offset}
          </span>
        </span>
      ))}
      <span className={classes.view}>
        <span>{t('time.relative')}</span>
        <span>{relativeTime(date, now, i18n.language)}</span>
      </span>
    </span>
  );
}
