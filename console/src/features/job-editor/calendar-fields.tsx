import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { calendarRuleValues } from '@/graphql/generated/enums';
import { ChoiceField, type SectionProps } from './fields';
import { useCalendars } from './use-calendars';

/** Which calendar the job goes by, and what becomes of fires on its rest days. */
export function CalendarFields(props: SectionProps) {
  const { form, set, errors } = props;
  const { t } = useTranslation('editor');
  const { calendars, reading } = useCalendars(form.group);
  const names = (calendars ?? []).map((calendar) => calendar.name);
  // A calendar that is gone, or of another app, stays to be seen: the server says what is wrong.
  const shown =
    form.calendar === '' || names.includes(form.calendar) ? names : [form.calendar, ...names];
  return (
    <>
      <Select
        label={t('calendar.label')}
        description={t(form.group === '' ? 'calendar.groupFirst' : 'calendar.hint')}
        placeholder={t('calendar.none')}
        searchable
        clearable
        nothingFoundMessage={reading ? t('what.loading') : t('calendar.nothing')}
        value={form.calendar || null}
        data={shown}
        onChange={(name) => set('calendar', name ?? '')}
        error={errors.calendar}
      />
      {form.calendar === '' ? null : (
        <ChoiceField
          {...props}
          name="onRestDay"
          label={t('calendar.onRestDay')}
          values={calendarRuleValues}
          text={(value) => t(`calendar.rules.${value}`)}
        />
      )}
    </>
  );
}
