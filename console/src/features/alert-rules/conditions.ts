import { type AlertEventKind, alertEventKindValues } from '@/graphql/generated/enums';
import type { AlertConditionInput, RuleRowFragment } from '@/graphql/generated/graphql';
import { formatGoDuration } from '@/time/duration';

type Condition = RuleRowFragment['conditions'][number];

/** When an event counts: each one, so many of the last ends, so many in a time, a share of the ends in a time. */
export const thresholds = ['each', 'ends', 'window', 'rate'] as const;
export type Threshold = (typeof thresholds)[number];

/** A condition as the form holds it; what the event does not need is kept while one looks at another. */
export interface ConditionForm {
  key: number;
  event: ProblemKind;
  threshold: Threshold;
  count: string;
  of: string;
  /** Per cent. */
  rate: string;
  window: string;
  longerThan: string;
  factor: string;
  by: string;
  depth: string;
  age: string;
}

export type ConditionField = Exclude<keyof ConditionForm, 'key' | 'event' | 'threshold'>;

/** What a rule can be about: that a job works again is no problem. */
export type ProblemKind = Exclude<AlertEventKind, 'RECOVERED'>;
export const problemKinds = alertEventKindValues.filter(
  (kind): kind is ProblemKind => kind !== 'RECOVERED',
);

/** The fields of its own that an event has besides a threshold. */
export const ownFields: Partial<Record<AlertEventKind, readonly ConditionField[]>> = {
  FIRE_LATE: ['longerThan'],
  RUN_TOO_LONG: ['longerThan', 'factor'],
  NOT_FINISHED_BY: ['by'],
  QUEUE_BACKLOG: ['depth', 'age'],
};

const failures: readonly AlertEventKind[] = [
  'ATTEMPT_FAILED',
  'RETRIES_EXHAUSTED',
  'TIMED_OUT',
  'LOST',
  'POISON',
  'PARKED',
];

/** Those that end a task: of the others there may be several in one. */
const lastOnes: readonly AlertEventKind[] = ['RETRIES_EXHAUSTED', 'POISON', 'PARKED'];

/** Which thresholds make sense for an event: shares only of failed runs, series only of what ends a task. */
export function thresholdsOf(event: AlertEventKind): readonly Threshold[] {
  if (lastOnes.includes(event)) return thresholds;
  if (failures.includes(event)) return ['each', 'window', 'rate'];
  return event === 'FIRE_MISSED' || event === 'FIRE_LATE' ? ['each', 'window'] : ['each'];
}

/** Fields that a threshold needs. */
export const thresholdFields: Record<Threshold, readonly ConditionField[]> = {
  each: [],
  ends: ['count', 'of'],
  window: ['count', 'window'],
  rate: ['rate', 'window', 'count'],
};

export function fieldsOf(form: ConditionForm): ConditionField[] {
  return [...thresholdFields[form.threshold], ...(ownFields[form.event] ?? [])];
}

export function newCondition(key: number, event: ProblemKind): ConditionForm {
  return {
    key,
    event,
    threshold: 'each',
    count: '3',
    of: '5',
    rate: '20',
    window: '1h',
    longerThan: '',
    factor: '',
    by: '06:30',
    depth: '',
    age: '',
  };
}

function thresholdOf(condition: Condition): Threshold {
  if (condition.rate !== null && condition.rate > 0) return 'rate';
  if ((condition.of ?? 1) > 1) return 'ends';
  return condition.count > 1 ? 'window' : 'each';
}

const text = (value: number | string | null) => (value === null ? '' : String(value));

export function conditionForm(condition: Condition, key: number): ConditionForm {
  const threshold = thresholdOf(condition);
  const fresh = newCondition(key, condition.event as ProblemKind); // the server takes no other
  return {
    ...fresh,
    threshold,
    count: threshold === 'each' ? fresh.count : String(condition.count),
    of: threshold === 'ends' ? String(condition.of) : fresh.of,
    rate: threshold === 'rate' ? String(percent(condition.rate ?? 0)) : fresh.rate,
    window: formatGoDuration(condition.window) || fresh.window,
    longerThan: formatGoDuration(condition.longerThan),
    factor: condition.factor ? String(condition.factor) : '',
    by: condition.by || fresh.by,
    depth: condition.depth === '0' ? '' : text(condition.depth),
    age: formatGoDuration(condition.age),
  };
}

/** 0.2 → 20, without the noise of binary fractions. */
export const percent = (rate: number) => Number((rate * 100).toFixed(2));

export function conditionInput(form: ConditionForm): AlertConditionInput {
  const wanted = fieldsOf(form);
  const has = (field: ConditionField) => wanted.includes(field) && form[field].trim() !== '';
  return {
    event: form.event,
    ...(has('count') ? { count: Number(form.count) } : {}),
    ...(has('of') ? { of: Number(form.of) } : {}),
    ...(has('rate') ? { rate: Number(form.rate) / 100 } : {}),
    ...(has('window') ? { window: form.window.trim() } : {}),
    ...(has('longerThan') ? { longerThan: form.longerThan.trim() } : {}),
    ...(has('factor') ? { factor: Number(form.factor) } : {}),
    ...(has('by') ? { by: form.by } : {}),
    ...(has('depth') ? { depth: form.depth.trim() } : {}),
    ...(has('age') ? { age: form.age.trim() } : {}),
  };
}
