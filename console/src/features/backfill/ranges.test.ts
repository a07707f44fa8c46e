import { expect, test } from 'vitest';
import { presetRange } from './ranges';

const now = new Date('2026-03-30T06:30:15.500Z');

test.each([
  ['hours24', 'UTC', '2026-03-29T06:30:15.000Z', '2026-03-30T06:30:15.000Z'],
  ['yesterday', 'UTC', '2026-03-29T00:00:00.000Z', '2026-03-30T00:00:00.000Z'],
  ['yesterday', 'Asia/Shanghai', '2026-03-28T16:00:00.000Z', '2026-03-29T16:00:00.000Z'],
  // The day of the spring change has 23 hours.
  ['yesterday', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  // It is still the 29th there.
  ['yesterday', 'America/Los_Angeles', '2026-03-28T07:00:00.000Z', '2026-03-29T07:00:00.000Z'],
  ['days7', 'Europe/Berlin', '2026-03-22T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['days30', 'UTC', '2026-02-28T00:00:00.000Z', '2026-03-30T00:00:00.000Z'],
] as const)('%s in %s', (preset, zone, from, to) => {
  expect(presetRange(preset, now, zone)).toEqual({ from, to });
});
