import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './code-block.module.css';
import { CopyButton } from './copy-button';

const linesAtFirst = 24;

/** Any JSON, indented and coloured, with a copy button; long values are folded until asked for. */
export function JsonView({ value, label }: { value: unknown; label?: string }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  if (value === null || value === undefined) {
    return <span className={classes.none}>{t('json.empty')}</span>;
  }
  const text = JSON.stringify(value, null, 2);
  const lines = text.split('\n');
  const folded = !all && lines.length > linesAtFirst;
  const shown = folded ? lines.slice(0, linesAtFirst).join('\n') : text;
  return (
    <div className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields, this groups lines */}
      <pre className={classes.json} tabIndex={0} role="group" aria-label={label ?? t('json.label')}>
        {colour(shown)}
      </pre>
      <div className={classes.copy}>
        <CopyButton text={text} />
      </div>
      {folded ? (
        <button type="button" className={classes.more} onClick={() => setAll(true)}>
          {t('json.wrap')}
        </button>
      ) : null}
    </div>
  );
}

const token =
  /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/g;

// A token at a time: keys, strings and literals differ in colour, the rest stays plain.
function colour(text: string) {
  const out = [];
  let last = 0;
  for (const match of text.matchAll(token)) {
    out.push(text.slice(last, match.index));
    const [whole, string, colon] = match;
    const kind = string ? (colon ? classes.key : classes.string) : classes.literal;
    out.push(
      <span key={match.index} className={kind}>
        {string ?? whole}
      </span>,
    );
    if (colon) out.push(colon);
    last = match.index + whole.length;
  }
  out.push(text.slice(last));
  return out;
}
