import { expect, test } from 'vitest';
import { layOutNeighbours, type PictureJob, shorten, size } from './picture';

const job = (id: string): PictureJob => ({ id, name: id, app: 'shop' });
const self = { id: 'me', name: 'me' };

test('two levels each way stand in columns around the job', () => {
  const picture = layOutNeighbours({
    self,
    upstream: [
      { ...job('a'), upstream: [job('a1'), job('a2')] },
      { ...job('b'), upstream: [job('a1')] },
    ],
    downstream: [{ ...job('x'), downstream: [job('y')] }],
  });
  const column = (key: string) =>
    (picture.nodes.find((n) => n.key === key)?.x ?? -1) / (size.width + size.gapX);
  expect(['a1', 'a2', 'a', 'b', 'self', 'x', 'y'].map(column)).toEqual([0, 0, 1, 1, 2, 3, 4]);
  expect(picture.edges.map((e) => e.key).sort()).toEqual(
    ['a1>a', 'a1>b', 'a2>a', 'a>self', 'b>self', 'self>x', 'x>y'].sort(),
  );
  expect(picture.height).toBe(2 * size.height + size.gapY);
});

test('a job on two levels is drawn once, near the middle', () => {
  const picture = layOutNeighbours({
    self,
    upstream: [
      { ...job('a'), upstream: [job('b')] },
      { ...job('b'), upstream: [] },
    ],
    downstream: [],
  });
  expect(picture.nodes.map((n) => n.key)).toEqual(['a', 'b', 'self']);
  expect(picture.edges.map((e) => e.key)).toEqual(['a>self', 'b>a', 'b>self']);
});

test('a long column ends with how many are left out', () => {
  const many = Array.from({ length: 9 }, (_, i) => ({ ...job(`u${i}`), upstream: [] }));
  const picture = layOutNeighbours({
    self: { id: null, name: '' },
    upstream: many,
    downstream: [],
  });
  expect(picture.nodes.filter((n) => n.job)).toHaveLength(6);
  expect(picture.nodes.find((n) => n.rest > 0)?.rest).toBe(3);
});

test('names are cut where they stop fitting', () => {
  expect(shorten('short', 10)).toBe('short');
  expect(shorten('a-rather-long-name', 8)).toBe('a-rather…');
  expect(shorten('每日对账报告作业', 8)).toBe('每日对账…');
});
