import { expect, test } from 'vitest';
import { fieldErrors } from './field-errors';

const error = (message: string, ...field: string[]) => ({
  code: 'INVALID',
  field: field.length > 0 ? field : null,
  message,
});

test('refusals find the deepest field they belong to; the rest is kept', () => {
  const { at, rest } = fieldErrors(
    [
      error('bad expression', 'input', 'trigger', 'cron', 'expression'),
      error('bad label', 'input', 'labels', 'team'),
      error('taken', 'input', 'name'),
      error('also long', 'input', 'name'),
      error('conflict', 'input', 'version'),
      error('in general'),
      error('not a prefix', 'input', 'names'),
    ],
    ['input.name', 'input.labels', 'input.trigger.cron.expression', 'input.trigger'],
  );
  expect(at).toEqual({
    'input.trigger.cron.expression': 'bad expression',
    'input.labels': 'bad label',
    'input.name': 'taken also long',
  });
  expect(rest).toEqual(['conflict', 'in general', 'not a prefix']);
});
