import { describe, expect, it } from 'vitest';
import { type AttemptTimes, layOut } from './geometry';

const second = (n: number) => new Date(Date.UTC(2026, 10, 30, 12, 0, n)).toISOString();

function attempt(number: number, times: Partial<AttemptTimes>): AttemptTimes {
  return {
    number,
    state: 'SUCCEEDED',
    availableAt: second(0),
    dispatchedAt: null,
    startedAt: null,
    finishedAt: null,
    ...times,
  };
}

describe('layOut', () => {
  it('draws waiting, starting and running to scale', () => {
    const picture = layOut(
      [
        attempt(1, {
          dispatchedAt: second(2),
          startedAt: second(3),
          finishedAt: second(10),
        }),
      ],
      null,
      Date.parse(second(99)),
    );
    expect(picture.lanes[0]?.spans).toEqual([
      { kind: 'waiting', left: 0, width: 20, ms: 2_000 },
      { kind: 'starting', left: 20, width: 10, ms: 1_000 },
      { kind: 'running', left: 30, width: 70, ms: 7_000 },
    ]);
    expect(picture.now).toBeNull();
  });

  it('shows the back-off before an attempt', () => {
    const picture = layOut(
      [
        attempt(1, {
          state: 'FAILED',
          dispatchedAt: second(0),
          startedAt: second(0),
          finishedAt: second(2),
        }),
        attempt(2, {
          availableAt: second(8),
          dispatchedAt: second(8),
          startedAt: second(8),
          finishedAt: second(10),
        }),
      ],
      null,
      0,
    );
    expect(picture.lanes[0]?.spans).toEqual([{ kind: 'running', left: 0, width: 20, ms: 2_000 }]);
    expect(picture.lanes[1]?.spans).toEqual([
      { kind: 'backoff', left: 20, width: 60, ms: 6_000 },
      { kind: 'running', left: 80, width: 20, ms: 2_000 },
    ]);
  });

  it('grows to now while an attempt runs, and marks the time limit within', () => {
    const now = Date.parse(second(4));
    const picture = layOut(
      [attempt(1, { state: 'RUNNING', dispatchedAt: second(0), startedAt: second(0) })],
      second(3),
      now,
    );
    expect(picture.to).toBe(now);
    expect(picture.now).toBe(100);
    expect(picture.deadline).toBe(75);
    expect(layOut([attempt(1, {})], second(90), now).deadline).toBeNull();
  });

  it('makes room for a time limit that is near', () => {
    const running = [attempt(1, { state: 'RUNNING', startedAt: second(0) })];
    const picture = layOut(running, second(8), Date.parse(second(4)));
    expect([picture.deadline, picture.now]).toEqual([100, 50]);
  });

  it.each([
    [2, 3],
    [40, 5],
    [1_000, 6],
    [95_000, 4],
    [3 * 86_400_000, 7],
    [700 * 86_400_000, 8],
  ])('has round marks on a scale of %d ms', (length, atMost) => {
    const at = (ms: number) => new Date(Date.parse(second(0)) + ms).toISOString();
    const { ticks } = layOut([attempt(1, { finishedAt: at(length) })], null, 0);
    expect(ticks[0]).toEqual({ at: 0, ms: 0 });
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks.length).toBeLessThanOrEqual(atMost);
    for (const tick of ticks) expect(tick.at).toBeCloseTo((100 * tick.ms) / length);
  });

  it('holds fifty attempts', () => {
    const many = Array.from({ length: 50 }, (_, i) =>
      attempt(i + 1, { availableAt: second(i), startedAt: second(i), finishedAt: second(i + 1) }),
    );
    const picture = layOut(many, null, 0);
    expect(picture.lanes).toHaveLength(50);
    expect(picture.lanes[49]?.spans).toEqual([{ kind: 'running', left: 98, width: 2, ms: 1_000 }]);
  });

  it.each([
    ['no attempt', []],
    ['an attempt of no length', [attempt(1, { startedAt: second(0), finishedAt: second(0) })]],
    ['a clock that is behind', [attempt(1, { startedAt: second(9), finishedAt: second(3) })]],
    ['one that waits for later', [attempt(1, { state: 'PENDING', availableAt: second(50) })]],
  ])('stays within the picture: %s', (_name, attempts) => {
    const picture = layOut(attempts, null, Date.parse(second(20)));
    expect(picture.to).toBeGreaterThan(picture.from);
    for (const { left, width } of picture.lanes.flatMap((lane) => lane.spans)) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(width).toBeGreaterThanOrEqual(0);
      expect(left + width).toBeLessThanOrEqual(100.0001);
    }
  });
});
