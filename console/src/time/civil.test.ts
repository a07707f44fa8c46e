import { expect, test } from 'vitest';
import { addDays, dateIn, daysBetween, isDate, startOf, weekdayOf } from './civil';

test('days are counted over months, years and leap days', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
  expect(daysBetween('2026-03-01', '2026-04-01')).toBe(31);
  expect(daysBetween('2026-03-01', '2026-02-27')).toBe(-2);
});

test('the week begins on Monday', () => {
  expect(weekdayOf('2026-11-30')).toBe(0);
  expect(weekdayOf('2026-12-06')).toBe(6);
});

test.each([
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['', false],
])('%s is a date: %s', (text, yes) => {
  expect(isDate(text)).toBe(yes);
});

test('a date begins at midnight of its zone', () => {
  expect(startOf('2026-11-30', 'UTC')).toBe(Date.parse('2026-11-30T00:00:00Z'));
  expect(startOf('2026-11-30', 'Asia/Shanghai')).toBe(Date.parse('2026-11-29T16:00:00Z'));
  // Lebanon skips midnight in spring.
  expect(startOf('2026-03-29', 'Asia/Beirut')).toBe(Date.parse('2026-03-28T22:00:00Z'));
  // A day with a clock change is not 24 hours long.
  const berlin = startOf('2026-10-26', 'Europe/Berlin') - startOf('2026-10-25', 'Europe/Berlin');
  expect(berlin).toBe(25 * 3_600_000);
});

test('an instant has a date on each clock', () => {
  const at = new Date('2026-11-30T16:30:00Z');
  expect(dateIn(at, 'UTC')).toBe('2026-11-30');
  expect(dateIn(at, 'Asia/Shanghai')).toBe('2026-12-01');
});
