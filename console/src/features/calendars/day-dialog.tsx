import { Group, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormBody, FormDialog } from '@/components/ui/form-dialog';
import type { CalendarDetailFragment } from '@/graphql/generated/graphql';
import { daysBetween, isDate } from '@/time/civil';
import { longestRange, markDays } from './days';
import { useSave } from './use-save';

/** Which days are edited; they hold one mark. */
export interface Span {
  from: string;
  to: string;
}

interface DayDialogProps {
  calendar: CalendarDetailFragment;
  /** Null while it is closed. */
  span: Span | null;
  /** What those days are when the calendar names none of them. */
  isWork: boolean;
  onClose: () => void;
}

/** Marks a day, or days in a row, as at rest or at work, with a name; or leaves them to the week. */
export function DayDialog(props: DayDialogProps) {
  const { t } = useTranslation('calendars');
  return (
    <FormDialog opened={props.span !== null} onClose={props.onClose} title={t('mark.title')}>
      {props.span ? <Form key={props.span.from} {...props} span={props.span} /> : null}
    </FormDialog>
  );
}

type Choice = 'REST' | 'WORK' | 'WEEK';
const choices: Choice[] = ['REST', 'WORK', 'WEEK'];

function Form({ calendar, span, isWork, onClose }: DayDialogProps & { span: Span }) {
  const { t } = useTranslation('calendars');
  const known = calendar.days.find((day) => day.date === span.from);
  const [form, setForm] = useState({
    from: span.from,
    to: span.to,
    // A day that nobody named is most often turned into its opposite.
    kind: (known?.kind ?? (isWork ? 'REST' : 'WORK')) as Choice,
    name: known?.name ?? '',
  });
  const set = (change: Partial<typeof form>) => setForm((old) => ({ ...old, ...change }));
  const save = useSave(calendar, t('mark.saved'));
  const length = isDate(form.from) && isDate(form.to) ? daysBetween(form.from, form.to) + 1 : 0;
  const wrong = length < 1 || length > longestRange;

  const submit = async () => {
    if (wrong) return;
    const mark = form.kind === 'WEEK' ? null : { kind: form.kind, name: form.name.trim() };
    const done = await save.run({ days: markDays(calendar.days, form.from, form.to, mark) });
    if (done) onClose();
  };

  return (
    <FormBody
      problems={save.errors}
      busy={save.busy}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      <Group grow gap={12} align="start">
        <TextInput
          type="date"
          label={t('mark.from')}
          value={form.from}
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={t('mark.to')}
          value={form.to}
          onChange={(event) => set({ to: event.currentTarget.value })}
          error={wrong ? t('mark.wrong', { count: longestRange }) : undefined}
        />
      </Group>
      <SegmentedControl
        fullWidth
        aria-label={t('mark.kind')}
        value={form.kind}
        onChange={(value) => set({ kind: choices.find((c) => c === value) ?? form.kind })}
        data={choices.map((value) => ({ value, label: t(`mark.kinds.${value}`) }))}
      />
      {form.kind === 'WEEK' ? null : (
        <TextInput
          data-autofocus
          label={t('mark.name')}
          placeholder={t(`mark.example.${form.kind}`)}
          value={form.name}
          autoComplete="off"
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
      )}
    </FormBody>
  );
}
