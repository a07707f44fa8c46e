import { expect, test } from 'vitest';
import { formatDuration, formatGoDuration, parseDuration, toGoDuration } from './duration';

test.each([
  ['250ms', 250],
  ['90s', 90_000],
  ['1h30m', 5_400_000],
  ['1h0m0s', 3_600_000],
  ['1.284s', 1_284],
  ['100µs', 0.1],
  ['-1.5s', -1_500],
  ['0', 0],
  [' 5m ', 300_000],
])('reads %s', (text, ms) => {
  expect(parseDuration(text)).toBeCloseTo(ms);
});

test.each(['', '5', '5 m', 'm5', '1h30', '1d', '5m!', '--5s', 'ms'])('refuses %j', (text) => {
  expect(parseDuration(text)).toBeNull();
});

test.each([
  [0, '0 s'],
  [0.1, '100 µs'],
  [9.84, '9.8 ms'],
  [42, '42 ms'],
  [1_284, '1.28 s'],
  [31_240, '31.2 s'],
  [59_990, '1 m'],
  [65_000, '1 m 05 s'],
  [12_000_000, '3 h 20 m'],
  [187_200_000, '2 d 04 h'],
  [-500, '−500 ms'],
])('writes %d ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test('what is written for the server is read back the same', () => {
  for (const ms of [
    0, 1, 999, 1_000, 1_500, 59_000, 60_000, 3_661_000, 86_400_000, 31_622_400_000,
  ]) {
    expect(parseDuration(toGoDuration(ms))).toBe(ms);
  }
  expect(formatGoDuration('1h0m0s')).toBe('1h');
  expect(formatGoDuration('0s')).toBe('');
  expect(formatGoDuration(null)).toBe('');
});
