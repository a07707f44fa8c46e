import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { Panel } from '@/components/ui/page';
import type { CalendarDetailFragment } from '@/graphql/generated/graphql';
import { weekdayNames } from '@/time/week';
import classes from './calendars.module.css';
import { QuietDialog } from './quiet-dialog';
import { weekText } from './week';

/** The times of day at which nothing fires. */
export function QuietPanel({ calendar }: { calendar: CalendarDetailFragment }) {
  const { t, i18n } = useTranslation('calendars');
  const { t: tc } = useTranslation();
  const [editing, setEditing] = useState(false);
  const names = weekdayNames(i18n.language, 'short');
  return (
    <Panel
      title={t('quiet.title')}
      actions={
        <ActionButton atLeast="DEVELOPER" icon="edit" onClick={() => setEditing(true)}>
          {tc('actions.edit')}
        </ActionButton>
      }
    >
      {calendar.quietWindows.length === 0 ? (
        <p className={classes.hint}>{t('quiet.none')}</p>
      ) : (
        <ul className={classes.windows}>
          {calendar.quietWindows.map((w) => (
            <li key={`${w.days.join()} ${w.from} ${w.to}`}>
              <span className={classes.clock}>
                {w.from}–{w.to}
              </span>
              <span>{weekText(w.days, names, i18n.language) || t('quiet.everyDay')}</span>
              <span className={classes.hint}>{t(`quiet.rules.${w.rule}`)}</span>
            </li>
          ))}
        </ul>
      )}
      <QuietDialog calendar={calendar} opened={editing} onClose={() => setEditing(false)} />
    </Panel>
  );
}
