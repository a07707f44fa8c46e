import { useTranslation } from 'react-i18next';
import { formatDate } from '@/time/civil';
import { clockTime } from '@/time/format';
import type { ClockChange, Exclusion, ForecastDay } from './forecast';

/** What is to say of one day, part by part; null where there is nothing. */
export interface DayWords {
  date: string;
  named: string | null;
  fires: string;
  exclusions: string[];
  clock: string | null;
}

/** Puts days into words, on the clock of a zone. */
export function useDayWords(zone: string): (day: ForecastDay) => DayWords {
  const { t, i18n } = useTranslation('editor');
  const time = (ms: number) => clockTime(new Date(ms), zone);

  const fires = ({ fires: all, knownUntil, end }: ForecastDay) => {
    const [first] = all;
    const last = all.at(-1);
    if (knownUntil < end) {
      return all.length > 0
        ? t('forecast.firesAtLeast', { count: all.length })
        : t('forecast.unknown');
    }
    if (first === undefined || last === undefined) return t('forecast.noFire');
    if (all.length <= 3) return t('forecast.firesAt', { times: all.map(time).join(', ') });
    return t('forecast.fires', { count: all.length, from: time(first), to: time(last) });
  };

  const exclusion = (e: Exclusion) => {
    const when = e.count === 1 ? time(e.from) : `${time(e.from)}–${time(e.to)}`;
    return t(e.isMoved ? 'forecast.moved' : 'forecast.excluded', {
      count: e.count,
      when,
      message: e.message,
    });
  };

  return (day) => ({
    date: formatDate(day.date, i18n.language, { year: 'numeric' }),
    named: day.named
      ? [t(`forecast.${day.named.kind}`), day.named.name].filter(Boolean).join(': ')
      : null,
    fires: fires(day),
    exclusions: day.exclusions.map(exclusion),
    clock: day.clockChange ? clockWords(day.clockChange, t) : null,
  });
}

type Translate = ReturnType<typeof useTranslation<'editor'>>['t'];

/** Which way the clock is put, and from what to what, on the wall. */
function clockWords({ at, offsetBefore, offsetAfter }: ClockChange, t: Translate): string {
  const wall = (offset: number) => clockTime(new Date(Date.parse(at) + offset * 1_000), 'UTC');
  return t(offsetAfter > offsetBefore ? 'forecast.forward' : 'forecast.back', {
    from: wall(offsetBefore),
    to: wall(offsetAfter),
  });
}

/** All lines but the date, for a tooltip. */
export function linesOf(words: DayWords): string[] {
  return [words.named, words.fires, ...words.exclusions, words.clock].filter(
    (line): line is string => line !== null,
  );
}
