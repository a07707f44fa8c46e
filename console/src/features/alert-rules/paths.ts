import type { RuleForm } from './form';

const conditionFields = [
  'event',
  'count',
  'of',
  'rate',
  'window',
  'longerThan',
  'factor',
  'by',
  'depth',
  'age',
];

/** The paths at which the server can refuse something of a rule; lists as long as the form's. */
export function rulePaths(form: RuleForm): string[] {
  const each = (name: string, count: number, fields: readonly string[]) =>
    Array.from({ length: count }, (_, i) => [
      `input.${name}.${i}`,
      ...fields.map((field) => `input.${name}.${i}.${field}`),
    ]).flat();
  return [
    'input.name',
    'input.description',
    'input.scope',
    'input.scope.app',
    'input.scope.group',
    'input.scope.job',
    'input.scope.labels',
    'input.conditions',
    ...each('conditions', form.conditions.length, conditionFields),
    'input.zone',
    'input.severity',
    'input.windows',
    ...each('windows', form.windows.length, ['days', 'from', 'to', 'severity']),
    'input.routes',
    ...each('routes', form.routes.length, ['severities', 'channels', 'people', 'digestAt']),
    'input.escalation',
    'input.escalation.after',
    'input.escalation.channels',
    'input.escalation.people',
    'input.repeatEvery',
    'input.maxPerHour',
    'input.groupWait',
    'input.groupInterval',
    'input.notices',
  ];
}
