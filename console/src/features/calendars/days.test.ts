import { expect, test } from 'vitest';
import { keyTarget, layOutYear, markDays, type NamedDay, rangesOf } from './days';

const national: NamedDay[] = ['01', '02', '03'].map((day) => ({
  date: `2026-10-${day}`,
  kind: 'REST',
  name: 'National Day',
}));

test('marking a span replaces what it covers and keeps the order', () => {
  const marked = markDays(national, '2026-10-02', '2026-10-04', { kind: 'WORK', name: 'Make-up' });
  expect(marked.map((day) => [day.date.slice(8), day.kind])).toEqual([
    ['01', 'REST'],
    ['02', 'WORK'],
    ['03', 'WORK'],
    ['04', 'WORK'],
  ]);
  expect(markDays(national, '2026-10-01', '2026-10-03', null)).toEqual([]);
  expect(markDays(national, '2026-09-30', '2026-09-30', { kind: 'REST', name: '' })[0]?.date).toBe(
    '2026-09-30',
  );
});

test('days alike that follow one another are one range', () => {
  const others: NamedDay[] = [
    { date: '2026-10-05', kind: 'REST', name: 'National Day' },
    { date: '2026-10-04', kind: 'WORK', name: 'National Day' },
  ];
  expect(rangesOf([...others, ...national])).toEqual([
    { from: '2026-10-01', to: '2026-10-03', kind: 'REST', name: 'National Day' },
    { from: '2026-10-04', to: '2026-10-04', kind: 'WORK', name: 'National Day' },
    { from: '2026-10-05', to: '2026-10-05', kind: 'REST', name: 'National Day' },
  ]);
});

test('a year has its days, the week at rest, and named days that win over it', () => {
  const days: NamedDay[] = [...national, { date: '2026-10-10', kind: 'WORK', name: 'Make-up' }];
  const months = layOutYear({ days, restDays: [5, 6], quietDays: [[4]] }, 2026);
  expect(months.map((month) => month.days.length)).toEqual([
    31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31,
  ]);
  const october = months[9];
  expect(october?.lead).toBe(3);
  const on = (day: number) => october?.days[day - 1];
  expect(on(1)).toMatchObject({ isWork: false, named: { name: 'National Day' }, isQuiet: false });
  expect(on(8)).toMatchObject({ isWork: true, named: null });
  expect(on(9)).toMatchObject({ isWork: true, isQuiet: true });
  expect(on(10)).toMatchObject({ isWork: true, named: { kind: 'WORK' } });
  expect(on(11)).toMatchObject({ isWork: false, named: null });
  const leap = layOutYear({ days: [], restDays: [], quietDays: [[]] }, 2028)[1];
  expect(leap?.days).toHaveLength(29);
  expect(leap?.days.some((day) => day.isQuiet)).toBe(false);
});

test.each([
  ['ArrowRight', '2026-12-31', '2027-01-01'],
  ['ArrowUp', '2026-10-01', '2026-09-24'],
  ['Home', '2026-10-01', '2026-09-28'],
  ['End', '2026-10-01', '2026-10-04'],
  ['PageDown', '2026-01-31', '2026-02-28'],
  ['PageUp', '2026-01-15', '2025-12-15'],
  ['x', '2026-10-01', null],
])('%s leads from %s to %s', (key, from, to) => {
  expect(keyTarget(from, key)).toBe(to);
});
