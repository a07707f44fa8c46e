import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SharedTip } from '@/components/ui/shared-tip';
import { formatDate } from '@/time/civil';
import { monthNames, weekdayNames } from '@/time/week';
import classes from './calendars.module.css';
import { keyTarget, type Month, type YearDay } from './days';

interface YearViewProps {
  months: readonly Month[];
  /** Today's date. */
  today: string;
  /** Absent for those who may not edit. */
  onPick?: ((date: string) => void) | undefined;
  /** The keys led out of the year, to this date. */
  onLeave: (date: string) => void;
}

/**
 * The twelve months of a year. One day takes the focus; arrows, Home, End and the page keys move
 * it, Enter picks the day.
 */
export function YearView({ months, today, onPick, onLeave }: YearViewProps) {
  const { i18n } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const year = months[0]?.days[0]?.date.slice(0, 4) ?? '';
  const [looked, setLooked] = useState<string | null>(null);
  const fallback = today.startsWith(year) ? today : `${year}-01-01`;
  const current = looked?.startsWith(year) ? looked : fallback;
  const words = useWords();

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const date = (event.target as HTMLElement).dataset.tip;
    const to = date && keyTarget(date, event.key);
    if (!to) return;
    event.preventDefault();
    setLooked(to);
    if (!to.startsWith(year)) onLeave(to);
    else root.current?.querySelector<HTMLElement>(`[data-tip="${to}"]`)?.focus();
  };
  const all = new Map(months.flatMap((month) => month.days.map((day) => [day.date, day])));

  return (
    <SharedTip
      label={(date) => {
        const day = all.get(date);
        return day ? words(day).join('. ') : null;
      }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: moves the focus between the buttons inside */}
      <div ref={root} className={classes.year} onKeyDown={onKeyDown}>
        {months.map((month) => (
          <section key={month.index} className={classes.month}>
            <h3>{monthNames(i18n.language, 'long')[month.index]}</h3>
            <div className={classes.grid}>
              {weekdayNames(i18n.language, 'narrow').map((name, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two days may begin with one letter
                <span key={i} className={classes.head} aria-hidden="true">
                  {name}
                </span>
              ))}
              {month.days.map((day, i) => (
                <button
                  key={day.date}
                  type="button"
                  className={classes.day}
                  style={i === 0 ? { gridColumnStart: month.lead + 1 } : undefined}
                  tabIndex={day.date === current ? 0 : -1}
                  data-tip={day.date}
                  data-rest={!day.isWork || undefined}
                  data-named={day.named?.kind}
                  data-quiet={day.isQuiet || undefined}
                  aria-current={day.date === today ? 'date' : undefined}
                  aria-disabled={onPick ? undefined : true}
                  aria-label={words(day).join('. ')}
                  onFocus={() => setLooked(day.date)}
                  onClick={() => onPick?.(day.date)}
                >
                  {Number(day.date.slice(8))}
                </button>
              ))}
            </div>
          </section>
        ))}
      </div>
    </SharedTip>
  );
}

/** What is to say of a day, its date first. */
function useWords(): (day: YearDay) => string[] {
  const { t, i18n } = useTranslation('calendars');
  return (day) => [
    formatDate(day.date, i18n.language, { year: 'numeric' }),
    t(day.isWork ? 'day.work' : 'day.rest') + (day.named?.name ? `: ${day.named.name}` : ''),
    ...(day.isQuiet ? [t('day.quiet')] : []),
  ];
}
