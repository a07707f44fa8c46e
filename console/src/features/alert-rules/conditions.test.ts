import { expect, test } from 'vitest';
import { conditionForm, conditionInput, newCondition, problemKinds } from './conditions';

const stored = {
  count: 1,
  of: null,
  rate: null,
  window: null,
  longerThan: null,
  factor: null,
  by: null,
  depth: null,
  age: null,
};

test('a condition goes through the form unchanged', () => {
  const back = (over: object) =>
    conditionInput(conditionForm({ ...stored, event: 'RETRIES_EXHAUSTED', ...over }, 0));
  expect(back({})).toEqual({ event: 'RETRIES_EXHAUSTED' });
  expect(back({ count: 3, of: 5 })).toEqual({ event: 'RETRIES_EXHAUSTED', count: 3, of: 5 });
  expect(back({ count: 4, window: '10m0s' })).toEqual({
    event: 'RETRIES_EXHAUSTED',
    count: 4,
    window: '10m',
  });
  expect(back({ rate: 0.07, window: '1h0m0s', count: 10 })).toEqual({
    event: 'RETRIES_EXHAUSTED',
    rate: 0.07,
    window: '1h',
    count: 10,
  });
  expect(back({ event: 'QUEUE_BACKLOG', depth: '9007199254740993', age: '10m0s' })).toEqual({
    event: 'QUEUE_BACKLOG',
    depth: '9007199254740993',
    age: '10m',
  });
});

test('only what the event needs is sent', () => {
  const form = { ...newCondition(0, 'FIRE_LATE'), longerThan: '5m', factor: '2', depth: '7' };
  expect(conditionInput(form)).toEqual({ event: 'FIRE_LATE', longerThan: '5m' });
  expect(conditionInput({ ...form, event: 'NODE_OFFLINE' })).toEqual({ event: 'NODE_OFFLINE' });
  for (const event of problemKinds) {
    expect(Object.keys(conditionInput(newCondition(0, event)))).not.toContain('count');
  }
});
