import { ActionIcon, Button, Select, TextInput, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormBody, FormDialog } from '@/components/ui/form-dialog';
import { Icon } from '@/components/ui/icon';
import { WeekdayPicker } from '@/components/ui/weekday-picker';
import { fieldErrors } from '@/graphql/field-errors';
import { type QuietRule, quietRuleValues } from '@/graphql/generated/enums';
import type { CalendarDetailFragment } from '@/graphql/generated/graphql';
import classes from './calendars.module.css';
import { useSave } from './use-save';
import { positionsOf, weekdaysAt } from './week';

interface QuietDialogProps {
  calendar: CalendarDetailFragment;
  opened: boolean;
  onClose: () => void;
}

/** Edits the times of day at which nothing fires. */
export function QuietDialog(props: QuietDialogProps) {
  const { t } = useTranslation('calendars');
  return (
    <FormDialog opened={props.opened} onClose={props.onClose} size="lg" title={t('quiet.title')}>
      <Form {...props} />
    </FormDialog>
  );
}

interface Row {
  key: number;
  days: number[];
  from: string;
  to: string;
  rule: QuietRule;
}

function Form({ calendar, onClose }: QuietDialogProps) {
  const { t } = useTranslation('calendars');
  const [rows, setRows] = useState<Row[]>(() =>
    calendar.quietWindows.map((w, key) => ({ ...w, key, days: positionsOf(w.days) })),
  );
  const save = useSave(calendar, t('quiet.saved'));
  const errors = fieldErrors(
    save.refusals,
    rows.map((_, i) => `input.quietWindows.${i}`),
  );
  const change = (key: number, over: Partial<Row>) =>
    setRows((old) => old.map((row) => (row.key === key ? { ...row, ...over } : row)));
  const add = () =>
    setRows((old) => [
      ...old,
      {
        key: Math.max(-1, ...old.map((row) => row.key)) + 1,
        days: [],
        from: '22:00',
        to: '06:00',
        rule: 'SKIP',
      },
    ]);
  const submit = async () => {
    const quietWindows = rows.map(({ days, from, to, rule }) => ({
      days: weekdaysAt(days),
      from,
      to,
      rule,
    }));
    if (await save.run({ quietWindows })) onClose();
  };
  return (
    <FormBody
      problems={errors.rest}
      busy={save.busy}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      <p className={classes.hint}>{t('quiet.hint')}</p>
      {rows.map((row, i) => (
        <QuietRow
          key={row.key}
          row={row}
          error={errors.at[`input.quietWindows.${i}`]}
          onChange={(over) => change(row.key, over)}
          onRemove={() => setRows((old) => old.filter((r) => r.key !== row.key))}
        />
      ))}
      {rows.length === 0 ? <p className={classes.hint}>{t('quiet.none')}</p> : null}
      <div>
        <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={add}>
          {t('quiet.add')}
        </Button>
      </div>
    </FormBody>
  );
}

function QuietRow(props: {
  row: Row;
  error: string | undefined;
  onChange: (over: Partial<Row>) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation('calendars');
  const { t: tc } = useTranslation();
  const { row, onChange } = props;
  return (
    <fieldset className={classes.window}>
      <legend className="bf-sr">{`${row.from}–${row.to}`}</legend>
      <div className={classes.times}>
        <TextInput
          type="time"
          label={t('quiet.from')}
          value={row.from}
          onChange={(event) => onChange({ from: event.currentTarget.value })}
        />
        <TextInput
          type="time"
          label={t('quiet.to')}
          value={row.to}
          onChange={(event) => onChange({ to: event.currentTarget.value })}
        />
        <Select
          label={t('quiet.rule')}
          value={row.rule}
          data={quietRuleValues.map((value) => ({ value, label: t(`quiet.rules.${value}`) }))}
          onChange={(value) =>
            onChange({ rule: quietRuleValues.find((r) => r === value) ?? row.rule })
          }
        />
        <Tooltip label={tc('actions.delete')}>
          <ActionIcon aria-label={tc('actions.delete')} onClick={props.onRemove}>
            <Icon name="trash" />
          </ActionIcon>
        </Tooltip>
      </div>
      <WeekdayPicker
        label={t('quiet.days')}
        description={t('quiet.daysHint')}
        value={row.days}
        onChange={(days) => onChange({ days })}
        error={props.error}
      />
    </fieldset>
  );
}
