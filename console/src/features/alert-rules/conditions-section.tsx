import { ActionIcon, Button, Select, TextInput, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import { Panel } from '@/components/ui/page';
import {
  type ConditionField,
  type ConditionForm,
  fieldsOf,
  newCondition,
  problemKinds,
  thresholdsOf,
} from './conditions';
import { freeKey } from './form';
import classes from './rules.module.css';
import type { SectionProps } from './sections';

/** What opens an incident; any one of the conditions is enough. */
export function ConditionsSection({ form, set, errors }: SectionProps) {
  const { t } = useTranslation('rules');
  const change = (key: number, over: Partial<ConditionForm>) =>
    set({
      conditions: form.conditions.map((each) => (each.key === key ? { ...each, ...over } : each)),
    });
  return (
    <Panel title={t('conditions.title')}>
      <div className={classes.stack}>
        <p className={classes.hint}>{t('conditions.hint')}</p>
        {form.conditions.map((condition, i) => (
          <ConditionRow
            key={condition.key}
            condition={condition}
            errors={errors}
            path={`input.conditions.${i}`}
            onChange={(over) => change(condition.key, over)}
            onRemove={() =>
              set({ conditions: form.conditions.filter((each) => each.key !== condition.key) })
            }
          />
        ))}
        {errors['input.conditions'] ? (
          <p className={classes.error} role="alert">
            {errors['input.conditions']}
          </p>
        ) : null}
        <div>
          <Button
            variant="default"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() =>
              set({
                conditions: [
                  ...form.conditions,
                  newCondition(freeKey(form.conditions), 'ATTEMPT_FAILED'),
                ],
              })
            }
          >
            {t('conditions.add')}
          </Button>
        </div>
      </div>
    </Panel>
  );
}

function ConditionRow(props: {
  condition: ConditionForm;
  errors: SectionProps['errors'];
  path: string;
  onChange: (over: Partial<ConditionForm>) => void;
  onRemove: () => void;
}) {
  const { condition, errors, path, onChange } = props;
  const { t } = useTranslation('rules');
  const { t: ta } = useTranslation('alerts');
  const { t: tc } = useTranslation();
  const allowed = thresholdsOf(condition.event);
  return (
    <fieldset className={classes.row}>
      <legend className="bf-sr">{ta(`event.${condition.event}`)}</legend>
      <div className={classes.rowFields}>
        <Select
          searchable
          label={t('conditions.event')}
          description={t(`eventHint.${condition.event}`)}
          value={condition.event}
          data={problemKinds.map((value) => ({ value, label: ta(`event.${value}`) }))}
          onChange={(value) => {
            const event = problemKinds.find((e) => e === value) ?? condition.event;
            const threshold = thresholdsOf(event).includes(condition.threshold)
              ? condition.threshold
              : 'each';
            onChange({ event, threshold });
          }}
          error={errors[`${path}.event`] ?? errors[path]}
        />
        {allowed.length > 1 ? (
          <Select
            label={t('conditions.threshold')}
            value={condition.threshold}
            data={allowed.map((value) => ({ value, label: t(`thresholds.${value}`) }))}
            onChange={(value) =>
              onChange({ threshold: allowed.find((a) => a === value) ?? condition.threshold })
            }
          />
        ) : null}
        {fieldsOf(condition).map((field) => (
          <Field
            key={field}
            field={field}
            value={condition[field]}
            onChange={(value) => onChange({ [field]: value })}
            error={errors[`${path}.${field}`]}
          />
        ))}
      </div>
      <Tooltip label={tc('actions.delete')}>
        <ActionIcon aria-label={tc('actions.delete')} onClick={props.onRemove}>
          <Icon name="trash" />
        </ActionIcon>
      </Tooltip>
    </fieldset>
  );
}

const numbers: readonly ConditionField[] = ['count', 'of', 'rate', 'factor', 'depth'];

function Field(props: {
  field: ConditionField;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) {
  const { t } = useTranslation('rules');
  const { field } = props;
  return (
    <TextInput
      type={field === 'by' ? 'time' : undefined}
      inputMode={numbers.includes(field) ? 'numeric' : undefined}
      label={t(`field.${field}`)}
      description={t(`fieldHint.${field}`)}
      value={props.value}
      autoComplete="off"
      onChange={(event) => props.onChange(event.currentTarget.value)}
      error={props.error}
    />
  );
}
