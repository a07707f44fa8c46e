import { deal } from '@mock/servers';
import { expect, test } from 'vitest';
import type { ServerRowFragment } from '@/graphql/generated/graphql';
import { rangesText, sharesOf } from './partitions';
import { byUrgency, verdictOf } from './verdict';

const server = (name: string, over: Partial<ServerRowFragment> = {}): ServerRowFragment => ({
  id: name,
  name,
  version: '1.0.0',
  state: 'LIVE',
  startedAt: '2026-11-29T22:00:00Z',
  lastSeenAt: '2026-11-29T22:00:00Z',
  partitions: [],
  groups: 0,
  lag: null,
  clockOffset: '0s',
  locks: 'REDIS',
  degraded: [],
  self: false,
  ...over,
});

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

test.each([
  [[], ''],
  [[7], '7'],
  [[0, 1, 2, 4, 6, 7], '0–2, 4, 6–7'],
  [numbers(0, 63), '0–63'],
])('%j is written %s', (given, text) => {
  expect(rangesText(given)).toBe(text);
});

test('partitions are those of the servers that live; a lost one leads nothing', () => {
  const shares = sharesOf([
    server('c', { state: 'LOST', partitions: numbers(60, 63) }),
    server('b', { partitions: numbers(0, 31) }),
    server('a', { state: 'STOPPING', partitions: numbers(32, 59) }),
    server('idle'),
  ]);
  expect(shares.owners.map((o) => `${o.letter} ${o.server.name}`)).toEqual(['A a', 'B b']);
  expect(shares.cells[0]?.server.name).toBe('b');
  expect(shares.cells[59]?.server.name).toBe('a');
  expect(shares.orphans).toEqual([60, 61, 62, 63]);
});

test('letters go on after Z', () => {
  const many = deal(64).map((partitions, i) =>
    server(`s${100 + i}`, { partitions: [i, ...partitions] }),
  );
  const letters = sharesOf(many).owners.map((owner) => owner.letter);
  expect([letters[0], letters[25], letters[26], letters[63]]).toEqual(['A', 'Z', 'AA', 'BL']);
  expect(new Set(letters).size).toBe(64);
});

const all = server('a', { partitions: numbers(0, 63) });
test.each([
  ['WELL', [all]],
  ['STOPPING', [all, server('b', { state: 'STOPPING' })]],
  ['LATE', [{ ...all, lag: '12s' }, server('b', { state: 'STOPPING' })]],
  ['WELL', [{ ...all, lag: '1.2s' }]],
  ['DEGRADED', [{ ...all, lag: '12s', degraded: ['No Redis.'] }]],
  ['LOST', [all, server('b', { state: 'LOST', degraded: ['Silent.'] })]],
  ['ORPHANS', [server('b', { state: 'LOST', partitions: numbers(0, 63) })]],
] as [string, ServerRowFragment[]][])('the gravest counts: %s', (code, servers) => {
  expect(verdictOf(servers).code).toBe(code);
});

test('those that need attention come first', () => {
  const sorted = byUrgency([
    server('fine'),
    server('late', { lag: '8s' }),
    server('lost', { state: 'LOST' }),
    server('ill', { degraded: ['No Redis.'] }),
  ]);
  expect(sorted.map((s) => s.name)).toEqual(['lost', 'ill', 'late', 'fine']);
});
