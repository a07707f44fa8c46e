import { ActionIcon, Button, Select, TextInput, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import { Panel } from '@/components/ui/page';
import { WeekdayPicker } from '@/components/ui/weekday-picker';
import { ZoneSelect } from '@/components/ui/zone-select';
import { type AlertSeverity, alertSeverityValues } from '@/graphql/generated/enums';
import { freeKey, type WindowForm } from './form';
import { MomentAnswer } from './moment-answer';
import classes from './rules.module.css';
import type { SectionProps } from './sections';
import { WeekBar } from './week-bar';

/** Wednesday at three in the morning: the moment that this is all about. */
const threeAtNight = { day: 2, minute: 180 };

/** How bad a problem is, by the time at which it happens; drawn as a week. */
export function SeveritySection({ form, set, errors }: SectionProps) {
  const { t } = useTranslation('rules');
  const [at, setAt] = useState(threeAtNight);
  const change = (key: number, over: Partial<WindowForm>) =>
    set({ windows: form.windows.map((each) => (each.key === key ? { ...each, ...over } : each)) });
  const add = () =>
    set({
      windows: [
        ...form.windows,
        { key: freeKey(form.windows), days: [], from: '22:00', to: '08:00', severity: 'CRITICAL' },
      ],
    });
  return (
    <Panel title={t('severity.title')}>
      <div className={classes.stack}>
        <div className={classes.fields}>
          <SeveritySelect
            label={t('severity.base')}
            value={form.severity}
            onChange={(severity) => set({ severity })}
            error={errors['input.severity']}
          />
          <ZoneSelect
            label={t('severity.zone')}
            value={form.zone}
            onChange={(zone) => set({ zone })}
            error={errors['input.zone']}
          />
        </div>
        {form.windows.map((window, i) => (
          <WindowRow
            key={window.key}
            window={window}
            path={`input.windows.${i}`}
            errors={errors}
            onChange={(over) => change(window.key, over)}
            onRemove={() => set({ windows: form.windows.filter((w) => w.key !== window.key) })}
          />
        ))}
        {errors['input.windows'] ? (
          <p className={classes.error} role="alert">
            {errors['input.windows']}
          </p>
        ) : null}
        <div>
          <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={add}>
            {t('severity.add')}
          </Button>
        </div>
        <WeekBar
          windows={form.windows}
          severity={form.severity}
          zone={form.zone}
          at={at}
          onAt={setAt}
        />
        <MomentAnswer form={form} at={at} onAt={setAt} />
      </div>
    </Panel>
  );
}

function SeveritySelect(props: {
  label: string;
  value: AlertSeverity;
  onChange: (severity: AlertSeverity) => void;
  error: string | undefined;
}) {
  const { t } = useTranslation('alerts');
  return (
    <Select
      label={props.label}
      value={props.value}
      data={alertSeverityValues.map((value) => ({ value, label: t(`severity.${value}`) }))}
      onChange={(value) =>
        props.onChange(alertSeverityValues.find((s) => s === value) ?? props.value)
      }
      error={props.error}
    />
  );
}

function WindowRow(props: {
  window: WindowForm;
  path: string;
  errors: SectionProps['errors'];
  onChange: (over: Partial<WindowForm>) => void;
  onRemove: () => void;
}) {
  const { window, path, errors, onChange } = props;
  const { t } = useTranslation('rules');
  const { t: tc } = useTranslation();
  return (
    <fieldset className={classes.row}>
      <legend className="bf-sr">{`${window.from}–${window.to}`}</legend>
      <div className={classes.rowFields}>
        <TextInput
          type="time"
          label={t('severity.from')}
          value={window.from}
          onChange={(event) => onChange({ from: event.currentTarget.value })}
          error={errors[`${path}.from`] ?? errors[path]}
        />
        <TextInput
          type="time"
          label={t('severity.to')}
          description={window.to <= window.from ? t('severity.overMidnight') : undefined}
          value={window.to}
          onChange={(event) => onChange({ to: event.currentTarget.value })}
          error={errors[`${path}.to`]}
        />
        <SeveritySelect
          label={t('severity.then')}
          value={window.severity}
          onChange={(severity) => onChange({ severity })}
          error={errors[`${path}.severity`]}
        />
        <div className={classes.wide}>
          <WeekdayPicker
            label={t('severity.days')}
            description={t('severity.daysHint')}
            value={window.days}
            onChange={(days) => onChange({ days })}
            error={errors[`${path}.days`]}
          />
        </div>
      </div>
      <Tooltip label={tc('actions.delete')}>
        <ActionIcon aria-label={tc('actions.delete')} onClick={props.onRemove}>
          <Icon name="trash" />
        </ActionIcon>
      </Tooltip>
    </fieldset>
  );
}
