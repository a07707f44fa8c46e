import { expect, test } from 'vitest';
import { parseLabels } from '@/features/routing/routing';
import type { EditableJobFragment } from '@/graphql/generated/graphql';
import { emptyForm, formOf, type JobForm } from './form';
import { createInput, problems, triggerInput, updateInput } from './input';

const whole = (over: Partial<JobForm> = {}): JobForm => ({
  ...emptyForm('UTC'),
  group: 'g1',
  name: ' close-orders ',
  handler: 'orders.close',
  expression: '*/5 * * * *',
  ...over,
});

const job: EditableJobFragment = {
  id: 'j1',
  name: 'close-orders',
  handler: 'orders.close',
  description: 'Closes.',
  labels: { team: 'pay' },
  parameters: { limit: 5 },
  enabled: true,
  version: 7,
  priority: 'HIGH',
  timeout: '1h0m0s',
  concurrency: 'SKIP',
  maxRunning: null,
  delivery: 'AT_LEAST_ONCE',
  routing: null,
  app: { id: 'a1', name: 'shop' },
  group: { id: 'g1', name: 'default' },
  trigger: {
    kind: 'CRON',
    expression: '0 30 2 ? * MON-FRI',
    zone: 'Asia/Shanghai',
    startAt: '2026-01-01T00:00:00Z',
    endAt: null,
    jitter: '2m0s',
    every: null,
    delay: null,
    calendar: null,
    onRestDay: null,
    upstream: null,
    mode: null,
    window: null,
  },
  retry: { maxAttempts: 4, backoff: 'EXPONENTIAL', delay: '30s', maxDelay: '10m0s', jitter: 0.2 },
  misfire: { policy: 'FIRE_ONCE', grace: '1m0s', limit: 100 },
};

test('a new form names what is missing', () => {
  expect(problems(emptyForm('UTC'))).toEqual({
    group: 'required',
    name: 'required',
    handler: 'required',
    expression: 'required',
  });
  expect(problems(whole({ kind: 'MANUAL', expression: '' }))).toEqual({});
});

test('texts that cannot be sent are found', () => {
  const form = whole({
    timeout: 'soon',
    maxRunning: '3.5',
    labels: 'team',
    parameters: '{',
    jitter: '2 minutes',
    every: 'ignored while the kind is cron',
  });
  expect(problems(form)).toEqual({
    timeout: 'duration',
    maxRunning: 'number',
    labels: 'labels',
    parameters: 'json',
    jitter: 'duration',
  });
});

test('the trigger has exactly one kind', () => {
  expect(triggerInput(whole({ startAt: '2026-03-01T09:30', zone: 'Asia/Shanghai' }))).toEqual({
    cron: { expression: '*/5 * * * *', zone: 'Asia/Shanghai', startAt: '2026-03-01T01:30:00.000Z' },
  });
  expect(triggerInput(whole({ kind: 'FIXED_RATE', every: ' 30s ' }))).toEqual({
    fixedRate: { every: '30s' },
  });
  expect(triggerInput(whole({ kind: 'FIXED_DELAY', delay: '5m' }))).toEqual({
    fixedDelay: { delay: '5m' },
  });
  expect(triggerInput(whole({ kind: 'MANUAL' }))).toEqual({ manual: true });
  expect(triggerInput(whole({ expression: ' ' }))).toBeNull();
  expect(triggerInput(whole({ kind: 'FIXED_RATE', every: '30' }))).toBeNull();
});

test('a calendar goes with its rule, and only with cron', () => {
  const form = whole({ calendar: 'china', onRestDay: 'NEXT_WORKING_DAY' });
  expect(triggerInput(form)).toMatchObject({
    cron: { calendar: 'china', onRestDay: 'NEXT_WORKING_DAY' },
  });
  expect(triggerInput(whole({ onRestDay: 'NEXT_WORKING_DAY' }))?.cron).not.toHaveProperty(
    'onRestDay',
  );
});

test('a dependency names its jobs; its zone matters only where days are told apart', () => {
  const up = { id: 'j2', name: 'import', app: 'shop', on: 'SUCCESS' } as const;
  const form = whole({ kind: 'DEPENDENCY', upstream: [up], window: 'DAY', zone: 'Asia/Shanghai' });
  expect(triggerInput(form)).toEqual({
    dependency: {
      upstream: [{ job: 'j2', on: 'SUCCESS' }],
      mode: 'ALL',
      window: 'DAY',
      zone: 'Asia/Shanghai',
    },
  });
  expect(triggerInput({ ...form, window: 'RUN' })?.dependency).not.toHaveProperty('zone');
  expect(problems(whole({ kind: 'DEPENDENCY' }))).toEqual({ upstream: 'upstream' });
  expect(triggerInput(whole({ kind: 'DEPENDENCY' }))).toBeNull();
});

test('a new job is sent whole', () => {
  expect(
    createInput(whole({ labels: 'team = pay \n\ntier=1', parameters: '{"a": 1}' })),
  ).toMatchObject({
    name: 'close-orders',
    labels: { team: 'pay', tier: '1' },
    parameters: { a: 1 },
    maxRunning: null,
    timeout: '1h',
    retry: { maxAttempts: 1, delay: '30s', maxDelay: null, jitter: null },
  });
});

test('labels keep equal signs in their values', () => {
  expect(parseLabels('q=a=b')).toEqual({ q: 'a=b' });
  expect(parseLabels('=b')).toBeNull();
});

test('opening and saving an unchanged job changes nothing', () => {
  expect(updateInput(job, formOf(job))).toEqual({ id: 'j1', version: 7 });
});

test('only what changed is sent', () => {
  const form = { ...formOf(job), parameters: '', maxRunning: '2', retryJitter: '' };
  expect(updateInput(job, form)).toEqual({
    id: 'j1',
    version: 7,
    parameters: null,
    maxRunning: 2,
    retry: { maxAttempts: 4, backoff: 'EXPONENTIAL', delay: '30s', maxDelay: '10m', jitter: null },
  });
});

test('a changed trigger is sent whole', () => {
  expect(updateInput(job, { ...formOf(job), jitter: '' }).trigger).toEqual({
    cron: {
      expression: '0 30 2 ? * MON-FRI',
      zone: 'Asia/Shanghai',
      startAt: '2026-01-01T00:00:00.000Z',
    },
  });
});
