import { beforeAll, expect, test } from 'vitest';
import { startI18n } from '@/i18n/i18n';
import { type NumberField, numberErrors } from './number-errors';

const field = (text: string, shape: NumberField['shape'], required = false) =>
  ({ path: 'input.limits.0.most', label: 'At most', text, shape, required }) satisfies NumberField;

let t: Parameters<typeof numberErrors>[1];
beforeAll(async () => {
  t = (await startI18n('en')).t;
});

test.each([
  ['', 'int'],
  [' 20 ', 'int'],
  ['-1', 'int'],
  ['9007199254740993', 'long'],
  ['2', 'decimal'],
  ['2.5', 'decimal'],
] as const)('%o is a number of the shape %s', (text, shape) => {
  expect(numberErrors([field(text, shape)], t)).toEqual([]);
});

test.each([
  ['abc', 'int'],
  ['2.5', 'int'],
  ['1e3', 'int'],
  ['0x10', 'int'],
  ['12345678901', 'int'],
  ['1,5', 'decimal'],
  ['Infinity', 'decimal'],
] as const)('%o is none of the shape %s', (text, shape) => {
  const [error] = numberErrors([field(text, shape)], t);
  expect(error?.field).toEqual(['input', 'limits', '0', 'most']);
  expect(error?.message).toContain(`At most is “${text}”, which is no number.`);
});

test('a number that must be there is missed when its field is empty', () => {
  const [error] = numberErrors([field(' ', 'int', true)], t);
  expect(error?.message).toBe('At most is empty. Write a whole number in digits, such as 5.');
});
