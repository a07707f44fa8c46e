import { expect, test } from 'vitest';
import { clockOf, minuteOf, severityAt, stretchesOf, type Window } from './severity';
import { nextDigest } from './who-is-told';

const night: Window = { days: [], from: '22:00', to: '08:00', severity: 'CRITICAL' };
const weekend: Window = { days: [5, 6], from: '00:00', to: '12:00', severity: 'INFO' };
const at = (clock: string) => minuteOf(clock) ?? Number.NaN;

test('a window that ends before it begins runs over midnight', () => {
  const of = (clock: string) => severityAt([night], 'WARNING', 2, at(clock));
  expect([of('21:59'), of('22:00'), of('03:00'), of('07:59'), of('08:00')]).toEqual([
    'WARNING',
    'CRITICAL',
    'CRITICAL',
    'CRITICAL',
    'WARNING',
  ]);
});

test('days are those on which a window begins', () => {
  const friday: Window = { ...night, days: [4] };
  expect(severityAt([friday], 'WARNING', 5, at('07:00'))).toBe('CRITICAL');
  expect(severityAt([friday], 'WARNING', 5, at('23:00'))).toBe('WARNING');
  expect(severityAt([{ ...night, days: [6] }], 'WARNING', 0, at('07:00'))).toBe('CRITICAL');
});

test('of several windows that hold, the first counts', () => {
  expect(severityAt([weekend, night], 'WARNING', 5, at('03:00'))).toBe('INFO');
  expect(severityAt([night, weekend], 'WARNING', 5, at('03:00'))).toBe('CRITICAL');
});

test('a day is cut into stretches that fill it and agree with every minute', () => {
  const windows = [weekend, night, { ...night, from: '12:00', to: '12:00', days: [1] }];
  for (let day = 0; day < 7; day++) {
    const stretches = stretchesOf(windows, 'WARNING', day);
    let minute = 0;
    for (const stretch of stretches) {
      expect(stretch.from).toBe(minute);
      for (; minute < stretch.to; minute++)
        expect(severityAt(windows, 'WARNING', day, minute)).toBe(stretch.severity);
    }
    expect(minute).toBe(1_440);
  }
});

test('clocks are read and written; what is none is none', () => {
  expect([minuteOf('00:00'), minuteOf('23:59'), minuteOf('24:00'), minuteOf('7:00')]).toEqual([
    0,
    1_439,
    null,
    null,
  ]);
  expect(clockOf(1_440)).toBe('24:00');
  expect(clockOf(487)).toBe('08:07');
});

test('the next digest is the first after the moment, tomorrow if need be', () => {
  expect(nextDigest(['18:00', '12:00'], at('03:00'))).toBe('12:00');
  expect(nextDigest(['18:00', '12:00'], at('12:00'))).toBe('18:00');
  expect(nextDigest(['18:00', '12:00'], at('19:00'))).toBe('12:00');
  expect(nextDigest(['noon'], 0)).toBeNull();
});
