import { Button } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '@/components/ui/states';
import type { Weekday } from '@/graphql/generated/enums';
import type { UserErrorFragment } from '@/graphql/generated/graphql';
import classes from './editor.module.css';
import { useFormErrors } from './errors';
import { reach } from './forecast/forecast';
import { Forecast } from './forecast/forecast-of';
import type { JobForm } from './form';
import { problems, triggerInput } from './input';
import { LeaveGuard } from './leave-guard';
import { PreviewPanel } from './preview-panel';
import { RulesSection } from './rules-section';
import { type Calendars, useCalendars } from './use-calendars';
import { usePreview } from './use-preview';
import { WhatSection } from './what-section';
import { WhenSection } from './when-section';

interface EditorFormProps {
  initial: JobForm;
  /** The job that is edited; null for a new one. */
  jobId: string | null;
  /** The app the job must stay in; null for a new one. */
  appId: string | null;
  submitLabel: string;
  busy: boolean;
  /** The server's refusals of the last try. */
  refusals: readonly UserErrorFragment[];
  /** Answers whether it was saved. */
  onSubmit: (form: JobForm) => Promise<boolean>;
  /** Called after saving, when nothing is unsaved any more. */
  onSaved: () => void;
  onCancel: () => void;
}

/** The editor's fields with the live preview beside them. */
export function EditorForm(props: EditorFormProps) {
  const { t } = useTranslation('editor');
  const { t: tc } = useTranslation();
  const [form, setForm] = useState(props.initial);
  const [tried, setTried] = useState(false);
  const saved = useRef(false);
  const root = useRef<HTMLFormElement>(null);
  const found = problems(form);
  const errors = useFormErrors(tried ? found : {}, props.refusals);
  const trigger = triggerInput(form);
  const { app, calendars } = useCalendars(form.group);
  const of = { ...(app && { app }), ...(props.jobId && { job: props.jobId }) };
  const state = usePreview(trigger && { trigger, ...of }, reach);
  const restDays = form.kind === 'CRON' ? restDaysOf(calendars, form.calendar) : noDays;
  const dirty = JSON.stringify(form) !== JSON.stringify(props.initial);
  const isUnsaved = () => dirty && !saved.current;

  const section = {
    form,
    errors: errors.at,
    set: <Key extends keyof JobForm>(key: Key, value: JobForm[Key]) =>
      setForm((old) => ({ ...old, [key]: value })),
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(found).length > 0) {
      focusFirstError(root.current);
      return;
    }
    if (await props.onSubmit(form)) {
      saved.current = true;
      props.onSaved();
    } else focusFirstError(root.current);
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
          <WhatSection {...section} appId={props.appId} />
          <WhenSection {...section} jobId={props.jobId} />
          <div className={classes.strip}>
            <Forecast
              zone={form.kind === 'CRON' ? form.zone : null}
              state={state}
              restDays={restDays}
            />
          </div>
          <div className={classes.rules}>
            <RulesSection {...section} />
          </div>
          <div className={classes.bar}>
            <span className={classes.quiet} role="status">
              {tried && Object.keys(errors.at).length > 0
                ? t('problems', { count: Object.keys(errors.at).length })
                : dirty
                  ? t('unsaved')
                  : ''}
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
          <PreviewPanel form={form} state={state} />
        </div>
      </form>
      <LeaveGuard isUnsaved={isUnsaved} />
    </>
  );
}

const noDays: readonly Weekday[] = [];

/** The rest days of each week in the calendar of that name. */
function restDaysOf(calendars: Calendars['calendars'], name: string): readonly Weekday[] {
  return calendars?.find((calendar) => calendar.name === name)?.restDays ?? noDays;
}

// After the errors are drawn: take people to the first of them.
function focusFirstError(root: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const field = root?.querySelector<HTMLElement>('[aria-invalid=true]');
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
  });
}
