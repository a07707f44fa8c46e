import { expect, test } from 'vitest';
import { parseJson } from './parse-json';

test('an empty text is no value', () => {
  expect(parseJson(' \n')).toEqual({ ok: true, value: undefined });
});

test.each([
  ['{"day": }', 'value', 1, 9],
  ['{"a": 1,\n "b" 2}', 'colon', 2, 6],
  ['{"a": 1 "b": 2}', 'separator', 1, 9],
  ['{a: 1}', 'key', 1, 2],
  ["{'a': 1}", 'key', 1, 2],
  ['[1, 2,]', 'value', 1, 7],
  ['{"a": 1,}', 'key', 1, 9],
  ['[1 2]', 'separator', 1, 4],
  ['"a\nb"', 'string', 1, 3],
  ['"\\x"', 'escape', 1, 2],
  ['01', 'number', 1, 1],
  ['1.5.2', 'number', 1, 1],
  ['{"a": [1, 2', 'end', 1, 12],
  ['"abc', 'end', 1, 5],
  ['{} {}', 'trailing', 1, 4],
  ['True', 'value', 1, 1],
])('%s', (text, kind, line, column) => {
  expect(parseJson(text)).toMatchObject({ ok: false, problem: { kind, line, column } });
});

// A cheap fuzz: every text that one edit makes of a valid one is accepted by us just if the engine accepts it,
// and what we refuse has a place inside the text or at its end.
test('agrees with the engine on every small damage', () => {
  const valid = '{"a": [1, -2.5e3, true, null, "x\\u00e9\\n"], "b": {"c": {}}, "d": []}';
  const inserts = ['', ',', '"', '}', ']', ':', '0', ' ', '\\', 'e', '\n'];
  for (let i = 0; i <= valid.length; i++) {
    for (const insert of inserts) {
      for (const cut of [0, 1]) {
        const text = valid.slice(0, i) + insert + valid.slice(i + cut);
        const parsed = parseJson(text);
        let engine = true;
        try {
          JSON.parse(text);
        } catch {
          engine = false;
        }
        expect(parsed.ok, text).toBe(engine);
        if (!parsed.ok) {
          const lines = text.split('\n');
          expect(parsed.problem.line).toBeLessThanOrEqual(lines.length);
          const line = lines[parsed.problem.line - 1] ?? '';
          expect(parsed.problem.column, text).toBeLessThanOrEqual(line.length + 1);
        }
      }
    }
  }
});
