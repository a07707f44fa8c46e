import { Select, TextInput } from '@mantine/core';
import type { JobForm } from './form';

/** What every section of the editor gets: the form, how to change it, and what is wrong with it. */
export interface SectionProps {
  form: JobForm;
  set: <Key extends keyof JobForm>(key: Key, value: JobForm[Key]) => void;
  errors: Partial<Record<keyof JobForm, string>>;
}

type TextKey = {
  [Key in keyof JobForm]: JobForm[Key] extends string
    ? string extends JobForm[Key]
      ? Key
      : never
    : never;
}[keyof JobForm];

interface FieldProps<Key> extends SectionProps {
  name: Key;
  label: string;
  description?: string;
}

/** A line of text; for durations and numbers too, which stay as typed until they are sent. */
export function TextField({
  form,
  set,
  errors,
  name,
  ...rest
}: FieldProps<TextKey> & {
  placeholder?: string;
  mono?: boolean;
  required?: boolean;
  type?: 'datetime-local';
  list?: string;
  inputMode?: 'numeric';
  autoFocus?: boolean;
}) {
  const { mono, ...props } = rest;
  return (
    <TextInput
      {...props}
      step={props.type ? 1 : undefined}
      required={false}
      withAsterisk={props.required === true}
      aria-required={props.required}
      value={form[name]}
      onChange={(event) => set(name, event.currentTarget.value)}
      error={errors[name]}
      autoComplete="off"
      spellCheck={false}
      styles={mono ? { input: { fontFamily: 'var(--bf-mono)' } } : undefined}
    />
  );
}

/** One of a few values. */
export function ChoiceField<Key extends keyof JobForm>({
  form,
  set,
  errors,
  name,
  values,
  text,
  ...rest
}: FieldProps<Key> & {
  values: readonly (JobForm[Key] & string)[];
  text: (value: JobForm[Key] & string) => string;
}) {
  return (
    <Select
      {...rest}
      value={String(form[name])}
      data={values.map((value) => ({ value, label: text(value) }))}
      onChange={(chosen) => {
        const value = values.find((v) => v === chosen);
        if (value !== undefined) set(name, value);
      }}
      error={errors[name]}
    />
  );
}
