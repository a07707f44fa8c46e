import { expect, test } from 'vitest';
import { toInstant, toLocal } from './local-time';

test.each([
  ['2026-03-01T09:30', 'UTC', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30:15', 'Asia/Shanghai', '2026-03-01T01:30:15.000Z'],
  ['2026-07-01T09:30', 'America/New_York', '2026-07-01T13:30:00.000Z'],
  ['2026-01-01T09:30', 'America/New_York', '2026-01-01T14:30:00.000Z'],
])('%s in %s', (local, zone, instant) => {
  expect(toInstant(local, zone)).toBe(instant);
  expect(toLocal(instant, zone).startsWith(local)).toBe(true);
});

test('an empty or unfinished time is none', () => {
  expect(toInstant('', 'UTC')).toBeNull();
  expect(toInstant('2026-03-01', 'UTC')).toBeNull();
  expect(toLocal(null, 'UTC')).toBe('');
});
