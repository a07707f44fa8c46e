import { expect, test } from 'vitest';
import { layout, type Minute, totals } from './minutes';

const minute = (over: Partial<Minute> = {}): Minute => ({
  at: '2026-11-30T07:00:00Z',
  succeeded: '0',
  failed: '0',
  retried: '0',
  cancelled: '0',
  skipped: '0',
  ...over,
});

test('sums', () => {
  const sum = totals([
    minute({ succeeded: '5', failed: '1' }),
    minute({ succeeded: '2', skipped: '3' }),
  ]);
  expect(sum).toEqual({ succeeded: 7, failed: 1, retried: 0, cancelled: 0, skipped: 3 });
});

test('nothing is drawn for an hour without ends', () => {
  expect(layout([minute(), minute()], 100).bars).toEqual([[], []]);
});

test('good ends stand on the axis, others hang below it, and all stay inside', () => {
  const minutes = [
    minute({ succeeded: '90', failed: '1' }),
    minute({ succeeded: '10', failed: '30', retried: '20', cancelled: '5', skipped: '5' }),
  ];
  const { axis, bars } = layout(minutes, 100);
  for (const segment of bars.flat()) {
    expect(segment.y).toBeGreaterThanOrEqual(0);
    expect(segment.y + segment.height).toBeLessThanOrEqual(102);
    if (segment.outcome === 'succeeded') expect(segment.y + segment.height).toBe(axis);
    else expect(segment.y).toBeGreaterThan(axis);
  }
});

test('one failure among many successes is still seen', () => {
  const [bar] = layout([minute({ succeeded: '100000', failed: '1' })], 100).bars;
  expect(bar?.find((s) => s.outcome === 'failed')?.height).toBe(3);
});
