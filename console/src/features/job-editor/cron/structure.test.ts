import { expect, test } from 'vitest';
import { readDays, type Weekday, weekdays, writeDays } from './days';
import {
  blankStructure,
  dialectOf,
  hourSteps,
  minuteSteps,
  nths,
  readExpression,
  type Structure,
  writeExpression,
} from './structure';

const of = (over: Partial<Structure>): Structure => ({ ...blankStructure, ...over });

test.each<[Partial<Structure>, string, string]>([
  [{ kind: 'MINUTES', minutes: 5 }, '*/5 * * * *', '0 */5 * * * ?'],
  [{ kind: 'MINUTES', minutes: 1 }, '* * * * *', '0 * * * * ?'],
  [{ kind: 'HOURS', minute: 17 }, '17 * * * *', '0 17 * * * ?'],
  [{ kind: 'HOURS', hours: 6, minute: 0 }, '0 */6 * * *', '0 0 */6 * * ?'],
  [{ kind: 'DAILY', time: '02:30' }, '30 2 * * *', '0 30 2 * * ?'],
  [{ kind: 'WEEKDAYS' }, '0 9 * * MON-FRI', '0 0 9 ? * MON-FRI'],
  [{ kind: 'WEEKDAYS', days: ['SAT', 'SUN'] }, '0 9 * * SAT,SUN', '0 0 9 ? * SAT,SUN'],
  [{ kind: 'MONTH_DAY', day: 15 }, '0 9 15 * *', '0 0 9 15 * ?'],
  [{ kind: 'MONTH_LAST_DAY' }, '0 9 L * *', '0 0 9 L * ?'],
  [{ kind: 'MONTH_LAST_WORKDAY' }, '0 9 LW * *', '0 0 9 LW * ?'],
  [{ kind: 'MONTH_NTH', nth: '2', weekday: 'TUE' }, '0 9 * * TUE#2', '0 0 9 ? * TUE#2'],
  [{ kind: 'MONTH_NTH', nth: 'L', weekday: 'FRI' }, '0 9 * * FRIL', '0 0 9 ? * FRIL'],
])('%o is written and read back in both dialects', (over, unix, quartz) => {
  const structure = of(over);
  expect(writeExpression(structure, 'unix')).toBe(unix);
  expect(writeExpression(structure, 'quartz')).toBe(quartz);
  expect(readExpression(unix)).toEqual(structure);
  expect(readExpression(quartz)).toEqual(structure);
});

test.each<[string, Partial<Structure>]>([
  ['0 9 * * 1-5', { kind: 'WEEKDAYS' }],
  ['0 0 9 ? * 2-6', { kind: 'WEEKDAYS' }],
  ['0 9 * * 0', { kind: 'WEEKDAYS', days: ['SUN'] }],
  ['0 9 * * 7', { kind: 'WEEKDAYS', days: ['SUN'] }],
  ['0 0 9 ? * 1', { kind: 'WEEKDAYS', days: ['SUN'] }],
  ['0 0 9 ? * FRI-MON', { kind: 'WEEKDAYS', days: ['MON', 'FRI', 'SAT', 'SUN'] }],
  ['0 9 * * 5#2', { kind: 'MONTH_NTH', nth: '2', weekday: 'FRI' }],
  ['0 0 9 ? * 6L', { kind: 'MONTH_NTH', nth: 'L', weekday: 'FRI' }],
  ['0 9 * * 5l', { kind: 'MONTH_NTH', nth: 'L', weekday: 'FRI' }],
  ['0/15 * * * *', { kind: 'MINUTES', minutes: 15 }],
  ['  05  9 * * * ', { kind: 'DAILY', time: '09:05' }],
  ['@daily', { kind: 'DAILY', time: '00:00' }],
  ['@hourly', { kind: 'HOURS', minute: 0 }],
  ['@weekly', { kind: 'WEEKDAYS', days: ['SUN'], time: '00:00' }],
  ['@monthly', { kind: 'MONTH_DAY', day: 1, time: '00:00' }],
])('%s fits a structure', (expression, over) => {
  expect(readExpression(expression)).toEqual(of(over));
});

test.each([
  '',
  '*',
  '*/7 * * * *',
  '*/5 9 * * *',
  '0 */5 * * *',
  'H H * * *',
  '0 9 1 * 1',
  '0 9 1,15 * *',
  '0 9 * 3 *',
  '0 9,18 * * *',
  '0 9 * * MON/2',
  '0 9 * * 8',
  '0 9 ? * MON',
  '0 24 * * *',
  '60 * * * *',
  '30 0 9 ? * MON-FRI',
  '0 0 9 ? * MON 2027',
  '0 9 L-3 * *',
  '0 9 15W * *',
  '@yearly',
])('%j is a free expression', (expression) => {
  expect(readExpression(expression).kind).toBe('FREE');
});

test('unfinished fields write nothing', () => {
  for (const over of [
    { kind: 'FREE' },
    { kind: 'DAILY', time: '' },
    { kind: 'WEEKDAYS', days: [] },
    { kind: 'MONTH_DAY', day: Number.NaN },
    { kind: 'MONTH_DAY', day: 32 },
    { kind: 'HOURS', minute: 60 },
  ] satisfies Partial<Structure>[]) {
    expect(writeExpression(of(over), 'unix')).toBeNull();
  }
});

test('every step and day that can be chosen is read back', () => {
  const all: Partial<Structure>[] = [
    ...minuteSteps.map((minutes) => ({ kind: 'MINUTES', minutes }) as const),
    ...hourSteps.map((hours) => ({ kind: 'HOURS', hours }) as const),
    ...nths.map((nth) => ({ kind: 'MONTH_NTH', nth }) as const),
    ...weekdays.map((weekday) => ({ kind: 'MONTH_NTH', weekday }) as const),
  ];
  for (const over of all) {
    for (const dialect of ['unix', 'quartz'] as const) {
      expect(readExpression(writeExpression(of(over), dialect) ?? '')).toEqual(of(over));
    }
  }
});

test('every set of days is read back', () => {
  for (let set = 1; set < 128; set++) {
    const days = weekdays.filter((_, i) => set & (1 << i)) as Weekday[];
    const text = writeDays(days);
    expect(readDays(text, 'unix')).toEqual(days);
    expect(readDays(text, 'quartz')).toEqual(days);
    // The unix dialect refuses a range that ends with Sunday.
    expect(text).not.toMatch(/-SUN/);
  }
});

test('the dialect goes by the number of fields', () => {
  expect(dialectOf('0 9 * * *')).toBe('unix');
  expect(dialectOf('@daily')).toBe('unix');
  expect(dialectOf('0 0 9 * * ?')).toBe('quartz');
  expect(dialectOf('')).toBe('unix');
});
