import { Checkbox, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormBody, FormDialog } from '@/components/ui/form-dialog';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/states';
import { fieldErrors } from '@/graphql/field-errors';
import { type CalendarFormat, calendarFormatValues } from '@/graphql/generated/enums';
import type { CalendarDetailFragment, ImportCalendarMutation } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import classes from './calendars.module.css';
import { rangesOf } from './days';
import { NamedDays } from './named-days';
import { ImportCalendar } from './queries';

interface ImportDialogProps {
  calendar: CalendarDetailFragment;
  /** The year that the page shows: proposed as the one to replace. */
  year: number;
  opened: boolean;
  onClose: () => void;
}

/** Takes days from a file or a list; what would change is shown before it is done. */
export function ImportDialog(props: ImportDialogProps) {
  const { t } = useTranslation('calendars');
  return (
    <FormDialog opened={props.opened} onClose={props.onClose} size="lg" title={t('import.title')}>
      <Form {...props} />
    </FormDialog>
  );
}

const paths = ['input.text', 'input.format', 'input.replaceYear'] as const;
type Outcome = ImportCalendarMutation['importCalendar'];

function Form({ calendar, year, onClose }: ImportDialogProps) {
  const { t } = useTranslation('calendars');
  const [format, setFormat] = useState<CalendarFormat>('LIST');
  const [text, setText] = useState('');
  const [replaces, setReplaces] = useState(false);
  const [replaceYear, setReplaceYear] = useState(String(year));
  // What the server said would change; null as soon as something else would be imported.
  const [checked, setChecked] = useState<Outcome | null>(null);
  const action = useMutationAction(ImportCalendar, {
    pick: (data) => data.importCalendar,
    refusals: 'form',
    success: (payload) =>
      checked
        ? t('import.done', { added: payload.added.length, removed: payload.removed.length })
        : null,
  });
  const errors = fieldErrors(action.userErrors, paths);
  const edit = (change: () => void) => {
    change();
    setChecked(null);
  };
  const submit = async () => {
    const input = {
      id: calendar.id,
      format,
      text,
      ...(replaces && { replaceYear: Number(replaceYear) }),
      dryRun: checked === null,
    };
    const { payload } = await action.run({ input });
    if (!payload) setChecked(null);
    else if (checked) onClose();
    else setChecked(payload);
  };
  return (
    <FormBody
      problems={errors.rest}
      busy={action.busy}
      submit={checked ? t('import.apply') : t('import.check')}
      disabled={text.trim() === ''}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      <SegmentedControl
        aria-label={t('import.format')}
        value={format}
        onChange={(value) =>
          edit(() => setFormat(calendarFormatValues.find((f) => f === value) ?? format))
        }
        data={[...calendarFormatValues]
          .reverse()
          .map((value) => ({ value, label: t(`import.formats.${value}`) }))}
      />
      <FilePicker
        onRead={(content) =>
          edit(() => {
            setText(content);
            setFormat(content.trimStart().startsWith('BEGIN:VCALENDAR') ? 'ICS' : 'LIST');
          })
        }
      />
      <Textarea
        data-autofocus
        label={t('import.text')}
        description={t(`import.hint.${format}`)}
        autosize
        minRows={6}
        maxRows={14}
        spellCheck={false}
        placeholder={format === 'LIST' ? t('import.example') : 'BEGIN:VCALENDAR'}
        value={text}
        onChange={(event) => edit(() => setText(event.currentTarget.value))}
        error={errors.at['input.text'] ?? errors.at['input.format']}
        styles={{ input: { fontFamily: 'var(--bf-mono)' } }}
      />
      <div className={classes.replace}>
        <Checkbox
          label={t('import.replace')}
          checked={replaces}
          onChange={(event) => edit(() => setReplaces(event.currentTarget.checked))}
        />
        <TextInput
          type="number"
          aria-label={t('import.year')}
          w={90}
          disabled={!replaces}
          value={replaceYear}
          onChange={(event) => edit(() => setReplaceYear(event.currentTarget.value))}
          error={errors.at['input.replaceYear']}
        />
      </div>
      {checked ? <Changes outcome={checked} /> : null}
    </FormBody>
  );
}

// The browser's own field speaks the browser's language: only its work is used.
function FilePicker({ onRead }: { onRead: (text: string) => void }) {
  const { t } = useTranslation('calendars');
  const [name, setName] = useState<string | null>(null);
  return (
    <label className={classes.file}>
      <input
        type="file"
        className="bf-sr"
        accept=".ics,.txt,.csv,text/calendar,text/plain"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (!file) return;
          setName(file.name);
          void file.text().then(onRead);
        }}
      />
      <span className={classes.choose}>
        <Icon name="download" size={14} />
        {t('import.file')}
      </span>
      <span>{name ?? t('import.noFile')}</span>
    </label>
  );
}

function Changes({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation('calendars');
  const { added, removed, unchanged } = outcome;
  const parts = [
    { id: 'added', days: added },
    { id: 'removed', days: removed },
  ] as const;
  return (
    <section
      className={classes.changes}
      aria-label={t('import.changes')}
      aria-live="polite"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, by keyboard too
      tabIndex={0}
    >
      {added.length + removed.length === 0 ? (
        <Notice tone="info">{t('import.nothing', { count: unchanged })}</Notice>
      ) : (
        <p>
          {t('import.summary', { added: added.length, removed: removed.length, count: unchanged })}
        </p>
      )}
      {parts
        .filter((part) => part.days.length > 0)
        .map((part) => (
          <div key={part.id} data-part={part.id}>
            <h3>{t(`import.${part.id}`, { count: part.days.length })}</h3>
            <NamedDays ranges={rangesOf(part.days)} />
          </div>
        ))}
    </section>
  );
}
