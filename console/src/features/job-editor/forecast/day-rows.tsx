import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import { formatDate } from '@/time/civil';
import { clockTime } from '@/time/format';
import { DayTrack } from './day-track';
import { type ForecastDay, percentOf } from './forecast';
import classes from './forecast.module.css';
import { useDayWords } from './use-day-words';

interface DayRowsProps {
  days: readonly ForecastDay[];
  zone: string;
  now: number;
  onPick: (date: string) => void;
}

/** A day, or the seven days of a week below one another, on one scale of hours. */
export function DayRows({ days, zone, now, onPick }: DayRowsProps) {
  const { i18n } = useTranslation();
  const wordsOf = useDayWords(zone);
  const alone = days.length === 1;
  return (
    <div className={classes.rows}>
      <ol>
        {days.map((day) => {
          const words = wordsOf(day);
          return (
            <li key={day.date} className={classes.row}>
              <span className={classes.date}>
                {formatDate(day.date, i18n.language)}
                {day.named ? (
                  <span
                    className={classes.named}
                    data-rest={day.named.kind}
                    title={words.named ?? ''}
                  >
                    {day.named.name || words.named}
                  </span>
                ) : null}
              </span>
              <DayTrack
                day={day}
                words={words}
                now={now}
                tall={alone}
                onPick={alone ? undefined : () => onPick(day.date)}
              />
              <span className={classes.count} aria-hidden="true">
                {day.clockChange ? <Icon name="clock" size={12} /> : null}
                {day.fires.length}
                {day.knownUntil < day.end ? '+' : ''}
              </span>
            </li>
          );
        })}
      </ol>
      <Hours day={alone ? days[0] : undefined} zone={zone} />
    </div>
  );
}

/** The scale below: for one day as its own clock goes, for several as on a day of 24 hours. */
function Hours({ day, zone }: { day: ForecastDay | undefined; zone: string }) {
  const marks = day
    ? hoursOf(day).map((at) => ({
        at: percentOf(day, at),
        text: at === day.end ? '24:00' : clockTime(new Date(at), zone),
      }))
    : [0, 6, 12, 18, 24].map((hour) => ({
        at: (100 * hour) / 24,
        text: `${String(hour).padStart(2, '0')}:00`,
      }));
  return (
    <div className={classes.hours} aria-hidden="true">
      {marks.map((mark, i) => (
        <span
          key={mark.at}
          style={{ left: `${mark.at}%` }}
          data-odd={day !== undefined && i % 2 === 1 ? true : undefined}
          data-edge={i === 0 ? 'start' : i === marks.length - 1 ? 'end' : undefined}
        >
          {mark.text}
        </span>
      ))}
    </div>
  );
}

// In steps of three hours that pass, so that a changed clock shows in the labels.
function hoursOf(day: ForecastDay): number[] {
  const step = 3 * 3_600_000;
  const count = Math.floor((day.end - day.start - 1) / step);
  return [...Array.from({ length: count + 1 }, (_, i) => day.start + i * step), day.end];
}
