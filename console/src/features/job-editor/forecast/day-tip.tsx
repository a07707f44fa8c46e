import type { ReactNode } from 'react';
import { SharedTip } from '@/components/ui/shared-tip';
import type { ForecastDay } from './forecast';
import classes from './forecast.module.css';
import { linesOf, useDayWords } from './use-day-words';

interface DayTipProps {
  days: readonly ForecastDay[];
  zone: string;
  children: ReactNode;
}

/** Tells about the day under the pointer or with the focus: rest day, fires, what is left out and why. */
export function DayTip({ days, zone, children }: DayTipProps) {
  const wordsOf = useDayWords(zone);
  const label = (date: string) => {
    const day = days.find((d) => d.date === date);
    if (!day) return null;
    const words = wordsOf(day);
    return (
      <>
        <strong>{words.date}</strong>
        {linesOf(words).map((line) => (
          <span key={line} className={classes.line}>
            {line}
          </span>
        ))}
      </>
    );
  };
  return <SharedTip label={label}>{children}</SharedTip>;
}
