import { Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { WeekdayPicker } from '@/components/ui/weekday-picker';
import { weekdayNames } from '@/time/week';
import { weekdays } from './days';
import { hourSteps, minuteSteps, nths, type Structure } from './structure';

interface FieldProps {
  structure: Structure;
  onChange: (over: Partial<Structure>) => void;
}

/** The fields of the chosen structure; none for a free expression. */
export function StructureFields(props: FieldProps) {
  switch (props.structure.kind) {
    case 'FREE':
      return null;
    case 'MINUTES':
      return <MinutesField {...props} />;
    case 'HOURS':
      return <HoursFields {...props} />;
    case 'WEEKDAYS':
      return (
        <>
          <TimeField {...props} />
          <DaysField {...props} />
        </>
      );
    case 'MONTH_DAY':
      return (
        <>
          <MonthDayField {...props} />
          <TimeField {...props} />
        </>
      );
    case 'MONTH_NTH':
      return (
        <>
          <NthFields {...props} />
          <TimeField {...props} />
        </>
      );
    default:
      return <TimeField {...props} />;
  }
}

function MinutesField({ structure, onChange }: FieldProps) {
  const { t } = useTranslation('editor');
  return (
    <Select
      label={t('cron.every')}
      description={t('cron.everyHint')}
      value={String(structure.minutes)}
      data={minuteSteps.map((n) => ({ value: String(n), label: t('cron.minutes', { count: n }) }))}
      onChange={(value) => onChange({ minutes: Number(value) })}
    />
  );
}

function HoursFields({ structure, onChange }: FieldProps) {
  const { t } = useTranslation('editor');
  return (
    <>
      <Select
        label={t('cron.every')}
        value={String(structure.hours)}
        data={hourSteps.map((n) => ({ value: String(n), label: t('cron.hours', { count: n }) }))}
        onChange={(value) => onChange({ hours: Number(value) })}
      />
      <NumberField
        label={t('cron.minute')}
        low={0}
        high={59}
        value={structure.minute}
        onChange={(minute) => onChange({ minute })}
      />
    </>
  );
}

function TimeField({ structure, onChange }: FieldProps) {
  const { t } = useTranslation('editor');
  return (
    <TextInput
      type="time"
      label={t('cron.time')}
      value={structure.time}
      onChange={(event) => onChange({ time: event.currentTarget.value })}
      error={structure.time === '' ? t('problem.required') : undefined}
    />
  );
}

function DaysField({ structure, onChange }: FieldProps) {
  const { t } = useTranslation('editor');
  return (
    <WeekdayPicker
      label={t('cron.days')}
      value={structure.days.map((day) => weekdays.indexOf(day))}
      onChange={(days) => onChange({ days: weekdays.filter((_, i) => days.includes(i)) })}
      error={structure.days.length === 0 ? t('cron.noDay') : undefined}
    />
  );
}

function MonthDayField({ structure, onChange }: FieldProps) {
  const { t } = useTranslation('editor');
  return (
    <NumberField
      label={t('cron.day')}
      description={structure.day > 28 ? t('cron.dayHint', { day: structure.day }) : undefined}
      low={1}
      high={31}
      value={structure.day}
      onChange={(day) => onChange({ day })}
    />
  );
}

function NthFields({ structure, onChange }: FieldProps) {
  const { t, i18n } = useTranslation('editor');
  const names = weekdayNames(i18n.language, 'long');
  return (
    <>
      <Select
        label={t('cron.nth')}
        description={structure.nth === '5' ? t('cron.fifthHint') : undefined}
        value={structure.nth}
        data={nths.map((value) => ({ value, label: t(`cron.nths.${value}`) }))}
        onChange={(value) => onChange({ nth: nths.find((n) => n === value) ?? structure.nth })}
      />
      <Select
        label={t('cron.weekday')}
        value={structure.weekday}
        data={weekdays.map((value, i) => ({ value, label: names[i] ?? value }))}
        onChange={(value) =>
          onChange({ weekday: weekdays.find((d) => d === value) ?? structure.weekday })
        }
      />
    </>
  );
}

function NumberField(props: {
  label: string;
  description?: string | undefined;
  low: number;
  high: number;
  value: number;
  onChange: (value: number) => void;
}) {
  const { t } = useTranslation('editor');
  const { low, high, value } = props;
  const isRight = Number.isInteger(value) && value >= low && value <= high;
  return (
    <TextInput
      type="number"
      label={props.label}
      description={props.description}
      min={low}
      max={high}
      step={1}
      value={Number.isNaN(value) ? '' : String(value)}
      onChange={(event) => {
        const text = event.currentTarget.value;
        props.onChange(text === '' ? Number.NaN : Number(text));
      }}
      error={isRight ? undefined : t('cron.range', { low, high })}
    />
  );
}
