import { expect, test } from 'vitest';
import { allZones, fullTime, isZone, relativeTime, shortTime, wallTime } from './format';

const at = new Date('2026-03-08T07:30:00.25Z');

test.each([
  ['UTC', '2026-03-08 07:30:00', 'Z'],
  ['Asia/Shanghai', '2026-03-08 15:30:00', '+08:00'],
  ['America/New_York', '2026-03-08 03:30:00', '-04:00'],
  ['Asia/Kathmandu', '2026-03-08 13:15:00', '+05:45'],
])('%s', (zone, text, offset) => {
  expect(fullTime(at, zone)).toBe(text);
  expect(wallTime(at, zone).offset).toBe(offset);
});

test('midnight is hour 00', () => {
  expect(fullTime(new Date('2026-01-01T00:00:00Z'), 'UTC')).toBe('2026-01-01 00:00:00');
});

test('the year is left out only in the same year of that zone', () => {
  const newYear = new Date('2026-12-31T20:00:00Z');
  const before = new Date('2026-12-31T10:00:00Z');
  expect(shortTime(before, 'UTC', newYear)).toBe('12-31 10:00:00');
  expect(shortTime(before, 'Asia/Shanghai', newYear)).toBe('2026-12-31 18:00:00');
});

test('distances use the largest unit that fits', () => {
  const now = new Date('2026-03-08T07:30:00Z');
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  expect(relativeTime(after(30), now, 'en')).toBe('in 30 sec.');
  expect(relativeTime(after(-3_700), now, 'en')).toBe('1 hr. ago');
  expect(relativeTime(after(86_400 * 3), now, 'zh-CN')).toBe('3天后');
  expect(relativeTime(now, now, 'en')).toBe('now');
});

test('zones', () => {
  expect(isZone('Europe/Berlin')).toBe(true);
  expect(isZone('Europe/Nowhere')).toBe(false);
  expect(isZone('')).toBe(false);
  expect(allZones()[0]).toBe('UTC');
});
