import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toInstant, toLocal } from '@/time/local';

interface InstantFieldProps {
  label: string;
  /** RFC 3339, or null while the field is empty or unfinished. */
  value: string | null;
  onChange: (at: string | null) => void;
  /** The zone on whose wall clock it is typed; it stands beside the label. */
  zone: string;
  error?: string | undefined;
  autoFocus?: boolean;
  /** Whole minutes are enough: no seconds are asked for. */
  minutes?: boolean;
}

/** A field for an instant, on the wall clock of a zone, to the second or the minute. */
export function InstantField({
  label,
  value,
  onChange,
  zone,
  error,
  autoFocus,
  minutes = false,
}: InstantFieldProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(() => toLocal(value, zone));
  const [known, setKnown] = useState({ value, zone });
  // What comes from outside, or another zone, is written anew; what was typed here stays as typed.
  if (known.value !== value || known.zone !== zone) {
    setKnown({ value, zone });
    if (known.zone !== zone || toInstant(text, zone) !== value) setText(toLocal(value, zone));
  }
  return (
    <TextInput
      type="datetime-local"
      step={minutes ? 60 : 1}
      label={t('time.labelIn', { label, zone })}
      value={text}
      data-autofocus={autoFocus || undefined}
      onChange={(event) => {
        const next = event.currentTarget.value;
        const at = toInstant(next, zone);
        setText(next);
        setKnown({ value: at, zone });
        onChange(at);
      }}
      error={error}
      autoComplete="off"
    />
  );
}
