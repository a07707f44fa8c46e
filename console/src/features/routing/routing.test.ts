import { expect, test } from 'vitest';
import { matching, routingForm, routingInput } from './routing';

const bare = { key: null, node: null, fallback: null, fallbackAfter: null, labels: null };

test.each([
  [null, null],
  [{ ...bare, strategy: 'STICKY' }, { strategy: 'STICKY' }],
  [{ ...bare, strategy: 'BROADCAST' }, { strategy: 'BROADCAST' }],
  [{ ...bare, strategy: 'CONSISTENT_HASH' }, { strategy: 'CONSISTENT_HASH' }],
  [
    { ...bare, strategy: 'CONSISTENT_HASH', key: '/order/id' },
    { strategy: 'CONSISTENT_HASH', key: '/order/id' },
  ],
  [
    { ...bare, strategy: 'PINNED', node: 'n-1', fallback: 'WAIT' },
    { strategy: 'PINNED', node: 'n-1', fallback: 'WAIT' },
  ],
  [
    { ...bare, strategy: 'PINNED', node: 'n-1', fallback: 'ANY', fallbackAfter: '1m30s' },
    { strategy: 'PINNED', node: 'n-1', fallback: 'ANY', fallbackAfter: '1m30s' },
  ],
  [
    { ...bare, strategy: 'LABELS', labels: { zone: 'a', gpu: 'yes' } },
    { strategy: 'LABELS', labels: { zone: 'a', gpu: 'yes' } },
  ],
] as const)('%j is sent as %j', (routing, input) => {
  expect(routingInput(routingForm(routing))).toEqual(input);
});

test('what was typed for another strategy is kept but not sent', () => {
  const form = { ...routingForm(null), routingKey: '/a', routingAfter: '5m', routingLabels: 'a=b' };
  expect(routingInput({ ...form, routing: 'RANDOM' })).toEqual({ strategy: 'RANDOM' });
  const pinned = { ...form, routing: 'PINNED', routingNode: ' n ' } as const;
  expect(routingInput(pinned)).toEqual({ strategy: 'PINNED', node: 'n', fallback: 'WAIT' });
});

test('nodes that have all of the labels', () => {
  const nodes = [
    { name: 'a', online: true, labels: { zone: 'a', gpu: 'yes' } },
    { name: 'b', online: true, labels: { zone: 'a' } },
    { name: 'c', online: true, labels: null },
  ];
  const names = (text: string) => matching(nodes, text)?.map((node) => node.name);
  expect(names('zone=a')).toEqual(['a', 'b']);
  expect(names('zone=a\ngpu=yes')).toEqual(['a']);
  expect(names('zone=b')).toEqual([]);
  expect(names('')).toBeUndefined();
  expect(names('no label')).toBeUndefined();
});
