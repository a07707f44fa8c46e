import { Input } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { weekdayNames } from '@/time/week';
import classes from './weekday-picker.module.css';

interface WeekdayPickerProps {
  label: string;
  description?: string;
  /** Days from 0, Monday, to 6, Sunday. */
  value: readonly number[];
  onChange: (days: number[]) => void;
  error?: string | undefined;
}

/** Any of the seven days of the week, in one row. */
export function WeekdayPicker({ label, description, value, onChange, error }: WeekdayPickerProps) {
  const { i18n } = useTranslation();
  const errorId = useId();
  const long = weekdayNames(i18n.language, 'long');
  return (
    <fieldset className={classes.field} aria-describedby={error ? errorId : undefined}>
      <legend>{label}</legend>
      <div className={classes.days}>
        {weekdayNames(i18n.language, 'short').map((name, i) => (
          <label key={name} className={classes.day}>
            <input
              type="checkbox"
              aria-label={long[i]}
              aria-invalid={error ? true : undefined}
              checked={value.includes(i)}
              onChange={(event) => {
                const rest = value.filter((d) => d !== i);
                onChange(event.currentTarget.checked ? [...rest, i].sort() : rest);
              }}
            />
            <span aria-hidden="true">{name}</span>
          </label>
        ))}
      </div>
      {error ? <Input.Error id={errorId}>{error}</Input.Error> : null}
      {description ? <Input.Description>{description}</Input.Description> : null}
    </fieldset>
  );
}
