import { useTranslation } from 'react-i18next';
import { fieldErrors } from '@/graphql/field-errors';
import type { UserErrorFragment } from '@/graphql/generated/graphql';
import type { JobForm } from './form';
import type { Problems } from './input';

/** Which path of the server's input belongs to which field. */
const homes = {
  'input.group': 'group',
  'input.name': 'name',
  'input.handler': 'handler',
  'input.description': 'description',
  'input.labels': 'labels',
  'input.parameters': 'parameters',
  'input.trigger.cron.expression': 'expression',
  'input.trigger.cron.zone': 'zone',
  'input.trigger.cron.startAt': 'startAt',
  'input.trigger.cron.endAt': 'endAt',
  'input.trigger.cron.jitter': 'jitter',
  'input.trigger.cron.calendar': 'calendar',
  'input.trigger.cron.onRestDay': 'onRestDay',
  'input.trigger.dependency.upstream': 'upstream',
  'input.trigger.dependency.mode': 'mode',
  'input.trigger.dependency.window': 'window',
  'input.trigger.dependency.zone': 'zone',
  'input.trigger.fixedRate.every': 'every',
  'input.trigger.fixedRate.startAt': 'startAt',
  'input.trigger.fixedDelay.delay': 'delay',
  'input.priority': 'priority',
  'input.timeout': 'timeout',
  'input.concurrency': 'concurrency',
  'input.maxRunning': 'maxRunning',
  'input.delivery': 'delivery',
  'input.routing': 'routing',
  'input.routing.key': 'routingKey',
  'input.routing.node': 'routingNode',
  'input.routing.fallback': 'routingFallback',
  'input.routing.fallbackAfter': 'routingAfter',
  'input.routing.labels': 'routingLabels',
  'input.retry.maxAttempts': 'maxAttempts',
  'input.retry.backoff': 'backoff',
  'input.retry.delay': 'retryDelay',
  'input.retry.maxDelay': 'retryMaxDelay',
  'input.retry.jitter': 'retryJitter',
  'input.misfire.policy': 'misfirePolicy',
  'input.misfire.grace': 'grace',
  'input.misfire.limit': 'misfireLimit',
} as const satisfies Record<string, keyof JobForm>;

type Path = keyof typeof homes;
const paths = Object.keys(homes) as Path[];

export interface FormErrors {
  at: Partial<Record<keyof JobForm, string>>;
  /** What belongs to no field. */
  rest: string[];
}

/** The sentences at the form's fields: ours for what we saw ourselves, the server's for its refusals. */
export function useFormErrors(found: Problems, refusals: readonly UserErrorFragment[]): FormErrors {
  const { t } = useTranslation('editor');
  const at: FormErrors['at'] = {};
  const { at: refused, rest } = fieldErrors(refusals, paths);
  for (const path of paths) {
    const sentence = refused[path];
    if (sentence) at[homes[path]] = sentence;
  }
  for (const [key, problem] of Object.entries(found)) {
    // The JSON field words its own problem, with the place.
    if (problem !== 'json') at[key as keyof JobForm] = t(`problem.${problem}`);
  }
  return { at, rest };
}
