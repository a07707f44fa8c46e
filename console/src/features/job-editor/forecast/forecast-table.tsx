import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ForecastDay } from './forecast';
import classes from './forecast.module.css';
import { useDayWords } from './use-day-words';

/** The strip in words, one row a day: for screen readers, and for whoever prefers to read. */
export function ForecastTable({ days, zone }: { days: readonly ForecastDay[]; zone: string }) {
  const { t } = useTranslation('editor');
  const wordsOf = useDayWords(zone);
  const [open, setOpen] = useState(false);
  return (
    <details className={classes.table} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('forecast.table')}</summary>
      <div className={classes.scroll}>
        <table aria-label={t('forecast.title')}>
          <thead>
            <tr>
              <th scope="col">{t('forecast.column.day')}</th>
              <th scope="col">{t('forecast.column.fires')}</th>
              <th scope="col">{t('forecast.column.out')}</th>
              <th scope="col">{t('forecast.column.remarks')}</th>
            </tr>
          </thead>
          <tbody>
            {(open ? days : []).map((day) => {
              const words = wordsOf(day);
              return (
                <tr key={day.date}>
                  <th scope="row">{words.date}</th>
                  <td>{words.fires}</td>
                  <td>{words.exclusions.join(' ')}</td>
                  <td>{[words.named, words.clock].filter(Boolean).join(' ')}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </details>
  );
}
