import { useId } from 'react';
import { type ForecastDay, percentOf } from './forecast';
import classes from './forecast.module.css';
import type { DayWords } from './use-day-words';
import { linesOf } from './use-day-words';

interface DayTrackProps {
  day: ForecastDay;
  words: DayWords;
  /** The present, in milliseconds. */
  now: number;
  tall: boolean;
  /** Leads to this day alone; absent when it is shown alone. */
  onPick?: (() => void) | undefined;
}

const width = 1_000;

/** One day as a line of 24 hours (23 or 25 when its clock changes): each fire is a tick on it. */
export function DayTrack({ day, words, now, tall, onPick }: DayTrackProps) {
  const x = (at: number) => (percentOf(day, at) / 100) * width;
  const ticks = (times: readonly number[]) =>
    times.map((at) => `M${x(at).toFixed(1)} 0V10`).join('');
  const quarter = (day.end - day.start) / 4;
  const hatch = useId();
  const picture = (
    <svg viewBox={`0 0 ${width} 10`} preserveAspectRatio="none" aria-hidden="true">
      <defs>
        <pattern id={hatch} width="8" height="10" patternUnits="userSpaceOnUse">
          <path d="M0 10L8 0" className={classes.hatch} />
        </pattern>
      </defs>
      {now > day.start ? (
        <rect className={classes.past} x="0" y="0" height="10" width={x(now)} />
      ) : null}
      {day.knownUntil < day.end ? (
        <rect
          x={x(day.knownUntil)}
          y="0"
          height="10"
          width={width - x(day.knownUntil)}
          fill={`url(#${hatch})`}
        />
      ) : null}
      <path className={classes.hour} d={ticks([1, 2, 3].map((n) => day.start + n * quarter))} />
      {day.exclusions.map((e) =>
        e.count === 1 ? (
          <path
            key={e.message}
            className={classes.out}
            data-moved={e.isMoved}
            d={ticks([e.from])}
          />
        ) : (
          <rect
            key={e.message}
            className={classes.outSpan}
            data-moved={e.isMoved}
            x={x(e.from)}
            y="3"
            height="4"
            width={Math.max(3, x(e.to) - x(e.from))}
          />
        ),
      )}
      <path className={classes.fire} d={ticks(day.fires)} />
      {day.clockChange ? (
        <path className={classes.clock} d={ticks([Date.parse(day.clockChange.at)])} />
      ) : null}
    </svg>
  );
  return (
    <button
      type="button"
      className={classes.track}
      data-tip={day.date}
      data-rest={day.named?.kind}
      data-tall={tall || undefined}
      aria-label={[words.date, ...linesOf(words)].join('. ')}
      onClick={onPick}
    >
      {picture}
    </button>
  );
}
