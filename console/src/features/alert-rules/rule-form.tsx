import { Button } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '@/components/ui/states';
import { LeaveGuard } from '@/features/job-editor/leave-guard';
import { fieldErrors } from '@/graphql/field-errors';
import type { UserErrorFragment } from '@/graphql/generated/graphql';
import { ConditionsSection } from './conditions-section';
import { type RuleForm, ruleInput } from './form';
import { rulePaths } from './paths';
import { RoutesSection } from './routes-section';
import classes from './rules.module.css';
import { EscalationSection, RhythmSection, WhatSection } from './sections';
import { SeveritySection } from './severity-section';
import { TrialPanel } from './trial-panel';

interface RuleEditorProps {
  initial: RuleForm;
  submitLabel: string;
  busy: boolean;
  refusals: readonly UserErrorFragment[];
  /** Answers whether it was saved. */
  onSubmit: (form: RuleForm) => Promise<boolean>;
  /** Called after saving, when nothing is unsaved any more. */
  onSaved: () => void;
  onCancel: () => void;
}

/** The editor's fields, with the trial over last week beside them. */
export function RuleEditor(props: RuleEditorProps) {
  const { t } = useTranslation('rules');
  const { t: tc } = useTranslation();
  const [form, setForm] = useState(props.initial);
  const saved = useRef(false);
  const root = useRef<HTMLFormElement>(null);
  const errors = fieldErrors(props.refusals, rulePaths(form));
  const dirty = JSON.stringify(form) !== JSON.stringify(props.initial);
  const isUnsaved = () => dirty && !saved.current;
  const section = {
    form,
    errors: errors.at,
    set: (over: Partial<RuleForm>) => setForm((old) => ({ ...old, ...over })),
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await props.onSubmit(form)) {
      saved.current = true;
      props.onSaved();
      return;
    }
    // After the refusals are drawn: take people to the first of them.
    requestAnimationFrame(() => {
      const field = root.current?.querySelector<HTMLElement>('[aria-invalid=true]');
      field?.focus();
      field?.scrollIntoView({ block: 'center' });
    });
  };
  return (
    <>
      <form
        ref={root}
        className={classes.columns}
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        <div className={classes.main}>
          {errors.rest.map((message) => (
            <Notice key={message} tone="fail">
              {message}
            </Notice>
          ))}
          <WhatSection {...section} />
          <ConditionsSection {...section} />
          <RoutesSection {...section} />
          <SeveritySection {...section} />
          <EscalationSection {...section} />
          <RhythmSection {...section} />
          <div className={classes.bar}>
            <span className={classes.hint} role="status">
              {dirty ? t('unsaved') : ''}
            </span>
            <Button variant="default" onClick={props.onCancel}>
              {tc('actions.cancel')}
            </Button>
            <Button type="submit" loading={props.busy}>
              {props.submitLabel}
            </Button>
          </div>
        </div>
        <div className={classes.side}>
          <TrialPanel input={() => ruleInput(form, null)} zone={form.zone} />
        </div>
      </form>
      <LeaveGuard isUnsaved={isUnsaved} />
    </>
  );
}
