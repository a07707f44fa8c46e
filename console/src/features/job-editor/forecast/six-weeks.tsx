import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import { formatDate } from '@/time/civil';
import { clockTime } from '@/time/format';
import { weekdayNames } from '@/time/week';
import type { ForecastDay } from './forecast';
import classes from './forecast.module.css';
import { linesOf, useDayWords } from './use-day-words';

interface SixWeeksProps {
  days: readonly ForecastDay[];
  zone: string;
  today: string;
  onPick: (date: string) => void;
}

/** Six weeks as on a wall calendar: how often it fires on each day, rest days, moved and left-out fires. */
export function SixWeeks({ days, zone, today, onPick }: SixWeeksProps) {
  const { i18n } = useTranslation();
  return (
    <div className={classes.month}>
      {weekdayNames(i18n.language, 'short').map((name) => (
        <span key={name} className={classes.head} aria-hidden="true">
          {name}
        </span>
      ))}
      {days.map((day) => (
        <Cell key={day.date} day={day} zone={zone} today={today} onPick={onPick} />
      ))}
    </div>
  );
}

function Cell(props: {
  day: ForecastDay;
  zone: string;
  today: string;
  onPick: (d: string) => void;
}) {
  const { day, zone, today } = props;
  const { i18n } = useTranslation();
  const words = useDayWords(zone)(day);
  const lines = linesOf(words);
  const number = Number(day.date.slice(8));
  if (day.date < today) return <span className={classes.gone}>{number}</span>;
  return (
    <button
      type="button"
      className={classes.cell}
      data-tip={day.date}
      data-rest={day.named?.kind}
      data-today={day.date === today || undefined}
      aria-label={[words.date, ...lines].join('. ')}
      onClick={() => props.onPick(day.date)}
    >
      <span className={classes.number}>
        {number === 1 || day.date === today
          ? formatDate(day.date, i18n.language, { weekday: undefined })
          : number}
        {day.clockChange ? <Icon name="clock" size={12} /> : null}
      </span>
      <Fires day={day} zone={zone} />
      {day.named?.name ? <span className={classes.name}>{day.named.name}</span> : null}
    </button>
  );
}

function Fires({ day, zone }: { day: ForecastDay; zone: string }) {
  const [first] = day.fires;
  const out = day.exclusions.reduce((sum, e) => sum + e.count, 0);
  const isCut = day.knownUntil < day.end;
  return (
    <span className={classes.marks}>
      {first !== undefined ? (
        <span className={classes.fireMark}>
          {day.fires.length === 1 && !isCut
            ? clockTime(new Date(first), zone)
            : `${day.fires.length}${isCut ? '+' : ''}×`}
        </span>
      ) : isCut ? (
        <span className={classes.unknown}>…</span>
      ) : null}
      {out > 0 ? (
        <span className={classes.outMark} data-moved={day.exclusions.some((e) => e.isMoved)}>
          {out}×
        </span>
      ) : null}
    </span>
  );
}
