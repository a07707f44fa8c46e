import { Switch, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Panel } from '@/components/ui/page';
import { ScopeFields } from '@/features/alerts/scope-fields';
import { alertNoticeValues } from '@/graphql/generated/enums';
import type { RuleForm } from './form';
import { ReceiverFields } from './receiver-fields';
import classes from './rules.module.css';

/** What every section of the editor gets. */
export interface SectionProps {
  form: RuleForm;
  set: (over: Partial<RuleForm>) => void;
  errors: Partial<Record<string, string>>;
}

export function WhatSection({ form, set, errors }: SectionProps) {
  const { t } = useTranslation('rules');
  return (
    <Panel title={t('what')}>
      <div className={classes.fields}>
        <TextInput
          withAsterisk
          aria-required
          label={t('name')}
          value={form.name}
          autoComplete="off"
          onChange={(event) => set({ name: event.currentTarget.value })}
          error={errors['input.name']}
        />
        <Textarea
          autosize
          minRows={1}
          label={t('description')}
          description={t('descriptionHint')}
          value={form.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
          error={errors['input.description']}
        />
        <ScopeFields
          value={form.scope}
          onChange={(scope) => set({ scope })}
          errors={{
            kind: errors['input.scope'],
            app: errors['input.scope.app'],
            group: errors['input.scope.group'],
            job: errors['input.scope.job'],
            labels: errors['input.scope.labels'],
          }}
        />
        <Switch
          className={classes.middle}
          label={t('enabledLabel')}
          checked={form.enabled}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
      </div>
    </Panel>
  );
}

export function EscalationSection({ form, set, errors }: SectionProps) {
  const { t } = useTranslation('rules');
  return (
    <Panel title={t('escalation.title')}>
      <div className={classes.stack}>
        <Switch
          label={t('escalation.on')}
          description={t('escalation.hint')}
          checked={form.escalates}
          onChange={(event) => set({ escalates: event.currentTarget.checked })}
          error={errors['input.escalation']}
        />
        {form.escalates ? (
          <div className={classes.fields}>
            <TextInput
              label={t('escalation.after')}
              description={t('durationHint')}
              value={form.escalateAfter}
              onChange={(event) => set({ escalateAfter: event.currentTarget.value })}
              error={errors['input.escalation.after']}
            />
            <ReceiverFields
              channels={form.escalateChannels}
              people={form.escalatePeople}
              onChannels={(escalateChannels) => set({ escalateChannels })}
              onPeople={(escalatePeople) => set({ escalatePeople })}
              errors={{
                channels: errors['input.escalation.channels'],
                people: errors['input.escalation.people'],
              }}
            />
          </div>
        ) : null}
      </div>
    </Panel>
  );
}

export function RhythmSection({ form, set, errors }: SectionProps) {
  const { t } = useTranslation('rules');
  const field = (name: 'repeatEvery' | 'maxPerHour' | 'groupWait' | 'groupInterval') => (
    <TextInput
      label={t(`rhythm.${name}`)}
      description={t(`rhythm.${name}Hint`)}
      placeholder={t(`rhythm.${name}None`)}
      inputMode={name === 'maxPerHour' ? 'numeric' : undefined}
      value={form[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      error={errors[`input.${name}`]}
    />
  );
  return (
    <Panel title={t('rhythm.title')}>
      <div className={classes.stack}>
        <fieldset className={classes.checks}>
          <legend>{t('notices.label')}</legend>
          {alertNoticeValues.map((notice) => (
            <Switch
              key={notice}
              label={t(`notices.${notice}`)}
              checked={form.notices.includes(notice)}
              onChange={(event) => {
                const on = event.currentTarget.checked;
                set({
                  notices: alertNoticeValues.filter((n) =>
                    n === notice ? on : form.notices.includes(n),
                  ),
                });
              }}
            />
          ))}
          {errors['input.notices'] ? (
            <p className={classes.error} role="alert">
              {errors['input.notices']}
            </p>
          ) : null}
        </fieldset>
        <div className={`${classes.fields} ${classes.short}`}>
          {field('repeatEvery')}
          {field('maxPerHour')}
          {field('groupWait')}
          {field('groupInterval')}
        </div>
      </div>
    </Panel>
  );
}
