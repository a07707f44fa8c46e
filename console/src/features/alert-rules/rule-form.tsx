import { Button } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { focusFirstError } from '@/components/ui/first-error';
import { Problems } from '@/components/ui/form-dialog';
import { LeaveGuard } from '@/features/job-editor/leave-guard';
import { fieldErrors } from '@/graphql/field-errors';
import type { UserErrorFragment } from '@/graphql/generated/graphql';
import { numberErrors } from '@/graphql/number-errors';
import { ConditionsSection } from './conditions-section';
import { type RuleForm, ruleInput } from './form';
import { ruleNumbers } from './numbers';
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
  const [wrong, setWrong] = useState<readonly UserErrorFragment[]>([]);
  const saved = useRef(false);
  const root = useRef<HTMLFormElement>(null);
  const errors = fieldErrors(wrong.length > 0 ? wrong : props.refusals, rulePaths(form));
  const dirty = JSON.stringify(form) !== JSON.stringify(props.initial);
  const isUnsaved = () => dirty && !saved.current;
  const section = {
    form,
    errors: errors.at,
    set: (over: Partial<RuleForm>) => setForm((old) => ({ ...old, ...over })),
  };
  /** Whether it can be sent at all; if not, it says where. */
  const isRight = () => {
    const found = numberErrors(ruleNumbers(form, t), tc);
    setWrong(found);
    if (found.length > 0) focusFirstError(root.current);
    return found.length === 0;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isRight()) return;
    if (await props.onSubmit(form)) {
      saved.current = true;
      props.onSaved();
      return;
    }
    focusFirstError(root.current);
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
          <Problems sentences={errors.rest} />
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
          <TrialPanel input={() => (isRight() ? ruleInput(form, null) : null)} zone={form.zone} />
        </div>
      </form>
      <LeaveGuard isUnsaved={isUnsaved} />
    </>
  );
}
