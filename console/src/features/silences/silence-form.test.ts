import { expect, test } from 'vitest';
import { everything } from '@/features/alerts/scope';
import { fromNow, lengthOf, newSilence } from './silence-form';

const now = new Date('2026-11-30T07:22:58.125Z');

test('a silence from now begins with the minute and has whole hours', () => {
  expect(fromNow(4, now)).toEqual({
    startsAt: '2026-11-30T07:22:00.000Z',
    endsAt: '2026-11-30T11:22:00.000Z',
  });
});

test('a length is known by its two ends, also when they were typed', () => {
  const form = newSilence(now, 'UTC', everything, '');
  expect(lengthOf(form)).toBe(4);
  expect(lengthOf({ ...form, ...fromNow(72, now) })).toBe(72);
  expect(lengthOf({ ...form, startsAt: '2026-11-30T07:23:00Z' })).toBeNull();
  expect(lengthOf({ ...form, endsAt: null })).toBeNull();
});
