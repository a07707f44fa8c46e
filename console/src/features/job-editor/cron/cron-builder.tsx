import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../editor.module.css';
import { type SectionProps, TextField } from '../fields';
import {
  dialectOf,
  readExpression,
  type Structure,
  structureKinds,
  writeExpression,
} from './structure';
import { StructureFields } from './structure-fields';

/** What no structure says: beginnings for a free expression. */
const examples = ['0 9,18 * * MON-FRI', '*/10 8-18 * * *', 'H H * * *', '0 0 9 ? * MON#1 2027'];

/**
 * A cron expression by structure or free. The two are one: fields of a structure write the
 * expression, and an expression that fits a structure fills its fields.
 */
export function CronBuilder(props: SectionProps) {
  const { form, set } = props;
  const { t } = useTranslation('editor');
  const { t: tj } = useTranslation('job');
  const [structure, setStructure] = useState(() => readExpression(form.expression));
  const [known, setKnown] = useState(form.expression);
  if (known !== form.expression) {
    setKnown(form.expression);
    setStructure(readExpression(form.expression, structure));
  }
  const change = (over: Partial<Structure>) => {
    const next = { ...structure, ...over };
    setStructure(next);
    const text = writeExpression(next, dialectOf(form.expression));
    if (text === null) return;
    setKnown(text);
    set('expression', text);
  };
  const isEmpty = form.expression.trim() === '';

  return (
    <div className={classes.builder}>
      <Select
        label={t('cron.pattern')}
        placeholder={t('cron.choose')}
        value={isEmpty && structure.kind === 'FREE' ? null : structure.kind}
        data={structureKinds.map((value) => ({ value, label: t(`cron.kind.${value}`) }))}
        onChange={(chosen) => {
          const kind = structureKinds.find((k) => k === chosen);
          if (kind) change({ kind });
        }}
      />
      <StructureFields structure={structure} onChange={change} />
      <div className={classes.wide}>
        <TextField
          {...props}
          name="expression"
          label={t('when.expression')}
          description={
            isEmpty ? t('when.expressionHint') : tj(`dialect.${dialectOf(form.expression)}`)
          }
          placeholder="0 9 * * 1-5"
          required
          mono
        />
        {structure.kind === 'FREE' ? (
          <div className={classes.examples}>
            <span>{t('when.examples')}</span>
            {examples.map((example) => (
              <button key={example} type="button" onClick={() => set('expression', example)}>
                {example}
              </button>
            ))}
          </div>
        ) : null}
      </div>
    </div>
  );
}
