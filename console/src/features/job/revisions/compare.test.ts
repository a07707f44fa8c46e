import { expect, test } from 'vitest';
import { compare, compareLines, type DiffLine } from './compare';

test('lists the fields that differ by their paths', () => {
  const before = { name: 'a', trigger: { kind: 'MANUAL' }, parameters: { deep: { a: 1 } } };
  const after = {
    name: 'a',
    trigger: { kind: 'CRON', expression: '0 2 * * *' },
    parameters: { deep: { a: 2 } },
  };
  expect(compare(before, after)).toEqual([
    { field: 'parameters', before: '{"deep":{"a":1}}', after: '{"deep":{"a":2}}' },
    { field: 'trigger.expression', before: null, after: '"0 2 * * *"' },
    { field: 'trigger.kind', before: '"MANUAL"', after: '"CRON"' },
  ]);
  expect(compare(after, after)).toEqual([]);
  expect(compare(null, { enabled: true })).toEqual([
    { field: 'enabled', before: null, after: 'true' },
  ]);
});

const written = (lines: DiffLine[]) =>
  lines.map(({ kind, text }) => `${{ same: ' ', gone: '-', new: '+', gap: '…' }[kind]}${text}`);

test('compares texts line by line and leaves out what is far', () => {
  expect(written(compareLines('a\nb\nc', 'a\nx\nc'))).toEqual([' a', '-b', '+x', ' c']);
  expect(written(compareLines('', 'a'))).toEqual(['+a']);
  expect(written(compareLines('a', ''))).toEqual(['-a']);
  const many = Array.from({ length: 30 }, (_, i) => `line ${i}`);
  const changed = many.toSpliced(10, 1, 'new').toSpliced(25, 0, 'more');
  const shown = written(compareLines(many.join('\n'), changed.join('\n')));
  expect(shown.filter((line) => line === '…')).toHaveLength(3);
  expect(shown.filter((line) => /^[-+]/.test(line))).toEqual(['-line 10', '+new', '+more']);
});

test('whatever is compared, both sides can be read from the answer', () => {
  let seed = 7;
  const random = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % n;
  };
  for (let round = 0; round < 300; round++) {
    const text = () => Array.from({ length: 1 + random(7) }, () => 'abc'[random(3)]).join('\n');
    const [a, b] = [text(), text()];
    const lines = compareLines(a, b);
    const side = (kind: string) =>
      lines.filter((line) => line.kind === 'same' || line.kind === kind).map((line) => line.text);
    if (lines.some((line) => line.kind === 'gap')) continue;
    expect(side('gone').join('\n')).toBe(a);
    expect(side('new').join('\n')).toBe(b);
  }
});

test('two long texts without a common line are compared in bounded time', () => {
  const long = (word: string) =>
    Array.from({ length: 20_000 }, (_, i) => `${word} ${i}`).join('\n');
  const lines = compareLines(long('a'), long('b'));
  expect(lines).toHaveLength(40_000);
});
