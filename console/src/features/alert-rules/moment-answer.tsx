import { Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SeverityBadge } from '@/features/alerts/badges';
import { listMark } from '@/i18n/locale';
import { formatDuration, parseDuration } from '@/time/duration';
import { weekdayNames } from '@/time/week';
import type { RuleForm } from './form';
import classes from './rules.module.css';
import { clockOf, minuteOf } from './severity';
import { useReceivers } from './use-receivers';
import { type Told, whoIsTold } from './who-is-told';

interface MomentAnswerProps {
  form: RuleForm;
  at: { day: number; minute: number };
  onAt: (at: { day: number; minute: number }) => void;
}

/** What happens when something breaks at a moment of the week: how bad, who hears of it and when. */
export function MomentAnswer({ form, at, onAt }: MomentAnswerProps) {
  const { t, i18n } = useTranslation('rules');
  const { names } = useReceivers();
  const days = weekdayNames(i18n.language, 'long');
  const { severity, told } = whoIsTold(form, names, at);
  return (
    <section className={classes.moment} aria-label={t('moment.title')}>
      <div className={classes.momentAsk}>
        <span>{t('moment.title')}</span>
        <Select
          aria-label={t('moment.day')}
          w={130}
          value={String(at.day)}
          data={days.map((label, i) => ({ value: String(i), label }))}
          onChange={(value) => onAt({ ...at, day: Number(value ?? at.day) })}
        />
        <TextInput
          type="time"
          aria-label={t('moment.clock')}
          w={132}
          value={clockOf(at.minute)}
          onChange={(event) => {
            const minute = minuteOf(event.currentTarget.value);
            if (minute !== null) onAt({ ...at, minute });
          }}
        />
      </div>
      <div aria-live="polite" className={classes.momentSays}>
        <SeverityBadge severity={severity} />
        <ul>
          {told.map((each) => (
            <li key={each.key}>
              <ToldText told={each} />
            </li>
          ))}
          {told.length === 0 ? <li>{t('moment.nobody')}</li> : null}
          {form.escalates && told.length > 0 ? (
            <li>
              {t('moment.escalates', {
                after: lengthOf(form.escalateAfter),
                whom: listOf(
                  form.escalateChannels.map((id) => names.channels.get(id) ?? id),
                  t('receivers.all'),
                  i18n.language,
                ),
              })}
            </li>
          ) : null}
        </ul>
      </div>
    </section>
  );
}

function lengthOf(text: string): string {
  const ms = parseDuration(text);
  return ms === null ? text : formatDuration(ms);
}

const listOf = (names: readonly string[], none: string, language: string) =>
  names.join(listMark(language)) || none;

function ToldText({ told }: { told: Told }) {
  const { t, i18n } = useTranslation('rules');
  const whom = listOf(told.channels, t('receivers.all'), i18n.language);
  const people = listOf(told.people, '', i18n.language);
  const mentions = people ? ` ${t('moment.mentions', { people })}` : '';
  return told.digest === null
    ? t('moment.atOnce', { whom }) + mentions
    : t('moment.digest', { whom, clock: told.digest }) + mentions;
}
