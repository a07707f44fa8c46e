import type { TFunction } from 'i18next';
import type { NumberField } from '@/graphql/number-errors';
import { type ConditionField, fieldsOf, thresholdFields } from './conditions';
import type { RuleForm } from './form';

const shapes: Partial<Record<ConditionField, NumberField['shape']>> = {
  count: 'int',
  of: 'int',
  rate: 'decimal',
  factor: 'decimal',
  depth: 'long',
  window: 'duration',
  longerThan: 'duration',
  age: 'duration',
};

/** The numbers and lengths of time that a rule's form asks for as it stands, with the paths that the server gives them. */
export function ruleNumbers(form: RuleForm, t: TFunction<'rules'>): NumberField[] {
  const conditions = form.conditions.flatMap((condition, i) =>
    fieldsOf(condition).flatMap((field) => {
      const shape = shapes[field];
      return shape === undefined
        ? []
        : [
            {
              path: `input.conditions.${i}.${field}`,
              label: t(`field.${field}`),
              text: condition[field],
              shape,
              required: thresholdFields[condition.threshold].includes(field),
            },
          ];
    }),
  );
  const rhythm = (['repeatEvery', 'groupWait', 'groupInterval'] as const).map(
    (name): NumberField => ({
      path: `input.${name}`,
      label: t(`rhythm.${name}`),
      text: form[name],
      shape: 'duration',
    }),
  );
  const escalation: NumberField = {
    path: 'input.escalation.after',
    label: t('escalation.after'),
    text: form.escalateAfter,
    shape: 'duration',
    required: true,
  };
  return [
    ...conditions,
    ...rhythm,
    ...(form.escalates ? [escalation] : []),
    {
      path: 'input.maxPerHour',
      label: t('rhythm.maxPerHour'),
      text: form.maxPerHour,
      shape: 'int',
    },
  ];
}
