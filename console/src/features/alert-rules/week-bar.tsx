import { useTranslation } from 'react-i18next';
import { SharedTip } from '@/components/ui/shared-tip';
import { type AlertSeverity, alertSeverityValues } from '@/graphql/generated/enums';
import { weekdayNames } from '@/time/week';
import { clockOf, minutesOfDay, type Stretch, stretchesOf, type Window } from './severity';
import classes from './week-bar.module.css';

interface WeekBarProps {
  windows: readonly Window[];
  severity: AlertSeverity;
  zone: string;
  /** The moment asked about, marked in the picture. */
  at: { day: number; minute: number };
  onAt: (at: { day: number; minute: number }) => void;
}

const marks = [0, 3, 6, 9, 12, 15, 18, 21, 24];

/** A week of severities: a row a day, midnight to midnight. Each stretch is a button that asks about its hour. */
export function WeekBar({ windows, severity, zone, at, onAt }: WeekBarProps) {
  const { t, i18n } = useTranslation('rules');
  const { t: ta } = useTranslation('alerts');
  const long = weekdayNames(i18n.language, 'long');
  const short = weekdayNames(i18n.language, 'short');
  const words = (day: number, s: Stretch) =>
    `${long[day]} ${clockOf(s.from)}–${clockOf(s.to)}: ${ta(`severity.${s.severity}`)}`;
  return (
    <figure className={classes.figure} aria-label={t('week.label', { zone })}>
      <SharedTip label={(tip) => tip}>
        <div className={classes.grid}>
          {short.map((name, day) => (
            <div key={name} className={classes.row}>
              <span className={classes.day} aria-hidden="true">
                {name}
              </span>
              <div className={classes.track}>
                {stretchesOf(windows, severity, day).map((s) => (
                  <button
                    key={s.from}
                    type="button"
                    className={classes.stretch}
                    data-severity={s.severity}
                    data-tip={words(day, s)}
                    aria-label={words(day, s)}
                    style={{ flexGrow: s.to - s.from }}
                    onClick={() => onAt({ day, minute: asked(s, at.minute) })}
                  >
                    {s.to - s.from >= 240 ? (
                      <span aria-hidden="true">{ta(`severity.${s.severity}`)}</span>
                    ) : null}
                  </button>
                ))}
                {day === at.day ? (
                  <span
                    className={classes.needle}
                    style={{ left: `${(at.minute / minutesOfDay) * 100}%` }}
                  />
                ) : null}
              </div>
            </div>
          ))}
          <div className={classes.hours} aria-hidden="true">
            {marks.map((hour) => (
              <span key={hour} style={{ left: `${(hour / 24) * 100}%` }}>
                {hour}
              </span>
            ))}
          </div>
        </div>
      </SharedTip>
      <figcaption className={classes.legend}>
        {alertSeverityValues.map((value) => (
          <span key={value}>
            <span className={classes.sample} data-severity={value} />
            {ta(`severity.${value}`)}
          </span>
        ))}
        <span className={classes.zone}>{zone}</span>
      </figcaption>
    </figure>
  );
}

/** The minute to ask about when a stretch is chosen: the present one if it lies within, else its middle. */
function asked(s: Stretch, minute: number): number {
  if (minute >= s.from && minute < s.to) return minute;
  return Math.round((s.from + s.to) / 2 / 30) * 30;
}
