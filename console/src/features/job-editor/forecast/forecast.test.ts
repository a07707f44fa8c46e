import { expect, test } from 'vitest';
import { wanted } from '../use-preview';
import { type ForecastInput, firstDate, fittingZoom, layOutDays, percentOf } from './forecast';

const input = (over: Partial<ForecastInput>): ForecastInput => ({
  fires: [],
  isCut: false,
  clockChanges: [],
  restDays: [],
  restWeekdays: [],
  excluded: [],
  ...over,
});

test('fires lie in their day on the clock of the zone', () => {
  const fires = ['2026-11-30T15:59:00Z', '2026-11-30T16:00:00Z', '2026-12-03T00:00:00Z'];
  const days = layOutDays(input({ fires }), 'Asia/Shanghai', '2026-11-30', 3);
  expect(days.map((day) => [day.date, day.fires.length])).toEqual([
    ['2026-11-30', 1],
    ['2026-12-01', 1],
    ['2026-12-02', 0],
  ]);
});

test('a day with a clock change has its own length and carries the mark', () => {
  const change = { at: '2026-10-25T01:00:00Z', offsetBefore: 7_200, offsetAfter: 3_600 };
  const [before, day] = layOutDays(
    input({ clockChanges: [change] }),
    'Europe/Berlin',
    '2026-10-24',
    2,
  );
  expect(before?.clockChange).toBeNull();
  expect(day?.clockChange).toBe(change);
  expect(day && day.end - day.start).toBe(25 * 3_600_000);
  expect(day && percentOf(day, Date.parse(change.at))).toBeCloseTo((100 * 3) / 25);
});

test('named days and fires that are left out stand at their day, one mark for each reason', () => {
  const rest = { date: '2026-10-01', kind: 'REST', name: 'National Day' } as const;
  const out = (at: string, message: string, movedTo: string | null = null) => ({
    at,
    reason: 'CALENDAR_REST_DAY',
    message,
    movedTo,
  });
  const [day] = layOutDays(
    input({
      restDays: [rest],
      excluded: [
        out('2026-10-01T01:00:00Z', 'holiday'),
        out('2026-10-01T03:00:00Z', 'holiday'),
        out('2026-10-01T02:00:00Z', 'moved', '2026-10-08T02:00:00Z'),
        out('2026-10-09T02:00:00Z', 'another day'),
      ],
    }),
    'UTC',
    '2026-10-01',
    1,
  );
  expect(day?.named).toBe(rest);
  expect(day?.exclusions).toMatchObject([
    { count: 2, isMoved: false, message: 'holiday' },
    { count: 1, isMoved: true, message: 'moved' },
  ]);
  expect(day?.exclusions[0]?.to).toBe(Date.parse('2026-10-01T03:00:00Z'));
});

test('the week rests where no dated day says otherwise', () => {
  const work = { date: '2026-10-10', kind: 'WORK', name: 'Make-up' } as const;
  const days = layOutDays(
    input({ restDays: [work], restWeekdays: [5, 6] }),
    'UTC',
    '2026-10-09',
    3,
  );
  expect(days.map((day) => day.named?.kind ?? null)).toEqual([null, 'WORK', 'REST']);
});

test('behind the last of a cut list nothing is known', () => {
  const fires = ['2026-11-30T06:00:00Z', '2026-11-30T12:00:00Z'];
  const days = layOutDays(input({ fires, isCut: true }), 'UTC', '2026-11-29', 3);
  expect(days.map((day) => (day.knownUntil - day.start) / 3_600_000)).toEqual([24, 12, 0]);
});

test('the zoom fits the first fires', () => {
  const now = new Date('2026-11-30T00:00:00Z');
  const every = (hours: number) =>
    Array.from({ length: 8 }, (_, i) =>
      new Date(now.getTime() + (i + 1) * hours * 3_600_000).toISOString(),
    );
  expect(fittingZoom(every(1), now)).toBe('day');
  expect(fittingZoom(every(24), now)).toBe('week');
  expect(fittingZoom(every(168), now)).toBe('weeks');
  expect(fittingZoom([], now)).toBe('week');
  expect(firstDate('weeks', '2026-12-10', '2026-12-02')).toBe('2026-11-30');
  expect(firstDate('week', '2026-12-10', '2026-12-02')).toBe('2026-12-10');
});

test('as many fires are asked for as reach over the strip', () => {
  const start = Date.parse('2026-11-30T00:00:00Z');
  const every = (minutes: number, count: number) =>
    Array.from({ length: count }, (_, i) => new Date(start + i * minutes * 60_000).toISOString());
  const until = start + 42 * 86_400_000;
  expect(wanted(every(7 * 1_440, 20), 20, until)).toBeNull();
  expect(wanted(every(1_440, 12), 20, until)).toBeNull();
  expect(wanted([], 20, until)).toBeNull();
  const daily = wanted(every(1_440, 20), 20, until);
  expect(daily).toBeGreaterThanOrEqual(43);
  expect(daily).toBeLessThan(80);
  expect(wanted(every(1, 20), 20, until)).toBe(1_000);
  expect(wanted(every(1, 1_000), 1_000, until)).toBeNull();
});
