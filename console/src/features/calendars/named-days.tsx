import { useTranslation } from 'react-i18next';
import { formatDate } from '@/time/civil';
import classes from './calendars.module.css';
import type { DayRange } from './days';

interface NamedDaysProps {
  ranges: readonly DayRange[];
  /** Absent where nothing can be changed. */
  onPick?: ((range: DayRange) => void) | undefined;
}

/** Named days in words, those in a row and alike as one. */
export function NamedDays({ ranges, onPick }: NamedDaysProps) {
  const { t, i18n } = useTranslation('calendars');
  const write = (date: string) => formatDate(date, i18n.language, { year: 'numeric' });
  return (
    <ul className={classes.named}>
      {ranges.map((range) => {
        const dates =
          range.from === range.to ? write(range.from) : `${write(range.from)} – ${write(range.to)}`;
        return (
          <li key={range.from} data-kind={range.kind}>
            <span className={classes.kind}>{t(`kind.${range.kind}`)}</span>
            {onPick ? (
              <button type="button" onClick={() => onPick(range)}>
                {dates}
              </button>
            ) : (
              <span>{dates}</span>
            )}
            <span className={classes.label}>{range.name}</span>
          </li>
        );
      })}
    </ul>
  );
}
