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
};

/** The numbers that a rule's form asks for as it stands, with the paths that the server gives them. */
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
  return [
    ...conditions,
    {
      path: 'input.maxPerHour',
      label: t('rhythm.maxPerHour'),
      text: form.maxPerHour,
      shape: 'int',
    },
  ];
}
