import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Change, compareLines, type DiffLine } from './compare';
import { Value } from './field-value';
import { fieldKey, inOrder, parsed } from './fields';
import classes from './revisions.module.css';

/** Lines of a comparison that are shown at first. */
const linesAtFirst = 60;

/** What differs, field by field: the old value and the new one. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <dl className={classes.changes}>
      {inOrder(changes).map((change) => (
        <ChangeRow key={change.field} change={change} />
      ))}
    </dl>
  );
}

function ChangeRow({ change }: { change: Change }) {
  const { t } = useTranslation('revisions');
  const key = fieldKey(change.field);
  return (
    <div className={classes.change} data-field={change.field}>
      <dt>{key ? t(`field.${key}`) : <code>{change.field}</code>}</dt>
      <dd>{isText(change) ? <Lines change={change} /> : <Sides change={change} />}</dd>
    </div>
  );
}

/** Whether a comparison by lines says more than both values beside one another. */
function isText({ field, before, after }: Change): boolean {
  if (field === 'parameters' || field === 'labels' || field === 'routingRule') return true;
  return [before, after].some((json) => json?.includes('\\n'));
}

function Sides({ change }: { change: Change }) {
  const { t } = useTranslation('revisions');
  const { before, after } = change;
  return (
    <span className={classes.sides}>
      {before === null ? null : (
        <del className={classes.gone}>
          <span className="bf-sr">{t('before')} </span>
          <Value field={change.field} value={parsed(before)} />
        </del>
      )}
      {after === null ? null : (
        <ins className={classes.new}>
          <span className="bf-sr">{t('after')} </span>
          <Value field={change.field} value={parsed(after)} />
        </ins>
      )}
    </span>
  );
}

const written = (json: string | null): string => {
  if (json === null) return '';
  const value = parsed(json);
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
};

const signs = { same: ' ', gone: '−', new: '+', gap: '⋯' } as const;

function Lines({ change }: { change: Change }) {
  const { t } = useTranslation('revisions');
  const [all, setAll] = useState(false);
  const lines = compareLines(written(change.before), written(change.after));
  const shown = all ? lines : lines.slice(0, linesAtFirst);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields, this groups lines */}
      <div
        className={classes.lines}
        role="group"
        aria-label={t('lines')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        {shown.map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one comparison never change places
          <Line key={i} line={line} />
        ))}
      </div>
      {shown.length < lines.length ? (
        <button type="button" className={classes.all} onClick={() => setAll(true)}>
          {t('allLines', { count: lines.length })}
        </button>
      ) : null}
    </>
  );
}

function Line({ line }: { line: DiffLine }) {
  const { t } = useTranslation('revisions');
  const said = line.kind === 'gone' ? t('before') : line.kind === 'new' ? t('after') : null;
  return (
    <div className={classes.line} data-kind={line.kind}>
      <span aria-hidden="true">{signs[line.kind]}</span>
      {said ? <span className="bf-sr">{said} </span> : null}
      <span>{line.text}</span>
    </div>
  );
}
