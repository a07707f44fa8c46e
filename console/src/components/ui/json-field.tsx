import { Textarea } from '@mantine/core';
import type { TFunction } from 'i18next';
import { type KeyboardEvent, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './json-field.module.css';
import { type JsonProblem, parseJson } from './parse-json';

export { parseJson } from './parse-json';

interface JsonFieldProps {
  label: string;
  description?: string | undefined;
  /** The text as typed; empty means "none". */
  value: string;
  onChange: (text: string) => void;
  /** The server's refusal. */
  error?: string | undefined;
  rows?: number;
}

/** A field for JSON: says where the text is wrong, in words, and can put it in order. */
export function JsonField({
  label,
  description,
  value,
  onChange,
  error,
  rows = 7,
}: JsonFieldProps) {
  const { t } = useTranslation();
  const parsed = parseJson(useDeferredValue(value));
  const problem = parsed.ok ? undefined : sentence(parsed.problem, t);
  const format = () => {
    const now = parseJson(value);
    if (now.ok && now.value !== undefined) onChange(JSON.stringify(now.value, null, 2));
  };
  return (
    <div className={classes.field}>
      <Textarea
        label={label}
        description={description}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => indent(event, onChange)}
        error={problem ?? error}
        autosize
        minRows={rows}
        maxRows={24}
        spellCheck={false}
        classNames={{ input: classes.input }}
      />
      <button type="button" className={classes.format} disabled={!parsed.ok} onClick={format}>
        {t('json.format')}
      </button>
    </div>
  );
}

function sentence(problem: JsonProblem, t: TFunction<'common'>): string {
  const where = t('json.at', { line: problem.line, column: problem.column });
  return `${where}: ${t(`json.problem.${problem.kind}`, { found: problem.found })}`;
}

// Enter keeps the indentation of the line; Tab stays what it is everywhere: the way to the next field.
function indent(event: KeyboardEvent<HTMLTextAreaElement>, onChange: (text: string) => void): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
  const field = event.currentTarget;
  const before = field.value.slice(0, field.selectionStart);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const own = /^\s*/.exec(line)?.[0] ?? '';
  const deeper = /[[{]\s*$/.test(line) ? '  ' : '';
  if (own + deeper === '') return;
  event.preventDefault();
  field.setRangeText(`\n${own}${deeper}`, field.selectionStart, field.selectionEnd, 'end');
  onChange(field.value);
}
