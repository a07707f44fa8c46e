import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { clockTime } from '@/time/format';
import { layout, type Minute, totals } from './minutes';
import classes from './overview.module.css';

interface MinutesChartProps {
  minutes: readonly Minute[];
  zone: string;
  /** The minute pointed at. */
  pointed: number | null;
  onPoint: (index: number | null) => void;
}

const height = 132;
const step = 10;

/** Bars drawn as SVG; arrow keys move the pointer as the mouse does. */
export function MinutesChart({ minutes, zone, pointed, onPoint }: MinutesChartProps) {
  const { t, i18n } = useTranslation('overview');
  const { axis, bars } = layout(minutes, height);
  const width = Math.max(1, minutes.length) * step;
  const number = new Intl.NumberFormat(i18n.language);
  const sum = totals(minutes);

  const onKeyDown = (event: KeyboardEvent) => {
    const last = minutes.length - 1;
    if (event.key === 'ArrowLeft') onPoint(pointed === null ? last : Math.max(0, pointed - 1));
    else if (event.key === 'ArrowRight')
      onPoint(pointed === null ? 0 : Math.min(last, pointed + 1));
    else if (event.key === 'Escape') onPoint(null);
    else return;
    event.preventDefault();
  };

  return (
    <div className={classes.chart}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys walk through the minutes
        tabIndex={0}
        aria-label={t('hour.summary', {
          succeeded: number.format(sum.succeeded),
          failed: number.format(sum.failed),
          retried: number.format(sum.retried),
          other: number.format(sum.cancelled + sum.skipped),
        })}
        onKeyDown={onKeyDown}
        onBlur={() => onPoint(null)}
        onMouseLeave={() => onPoint(null)}
        onMouseMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const at = Math.floor(((event.clientX - box.left) / box.width) * minutes.length);
          onPoint(Math.max(0, Math.min(minutes.length - 1, at)));
        }}
      >
        {pointed === null ? null : (
          <rect className={classes.pointer} x={pointed * step} y={0} width={step} height={height} />
        )}
        {bars.map((segments, i) =>
          segments.map((segment) => (
            <rect
              key={`${minutes[i]?.at} ${segment.outcome}`}
              data-outcome={segment.outcome}
              x={i * step + 1.5}
              y={segment.y}
              width={step - 3}
              height={segment.height}
            />
          )),
        )}
        <line className={classes.axis} x1={0} x2={width} y1={axis + 0.5} y2={axis + 0.5} />
      </svg>
      <div className={classes.ticks} aria-hidden="true">
        {ticks(minutes).map((minute) => (
          <span key={minute.at}>{clockTime(new Date(minute.at), zone)}</span>
        ))}
      </div>
    </div>
  );
}

// Five labels, evenly spread.
function ticks(minutes: readonly Minute[]): Minute[] {
  const last = minutes.length - 1;
  const all = [0, 0.25, 0.5, 0.75, 1].flatMap((part) => minutes[Math.round(part * last)] ?? []);
  return [...new Set(all)];
}
