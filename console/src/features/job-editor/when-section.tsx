import { SegmentedControl, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Panel } from '@/components/ui/page';
import { ZoneSelect } from '@/components/ui/zone-select';
import { browserZone } from '@/time/format';
import { CalendarFields } from './calendar-fields';
import { CronBuilder } from './cron/cron-builder';
import { DependencyFields } from './dependency/dependency-fields';
import classes from './editor.module.css';
import { type SectionProps, TextField } from './fields';
import { editableKinds } from './form';

/** When it fires. */
export function WhenSection({ jobId, ...props }: SectionProps & { jobId: string | null }) {
  const { form, set } = props;
  const { t } = useTranslation('editor');
  const { t: ts } = useTranslation('states');
  return (
    <Panel title={t('when.title')}>
      <div className={classes.when}>
        <SegmentedControl
          aria-label={t('when.kind')}
          value={form.kind}
          onChange={(kind) => set('kind', editableKinds.find((k) => k === kind) ?? form.kind)}
          data={editableKinds.map((value) => ({ value, label: ts(`trigger.${value}`) }))}
          fullWidth
        />
        <div className={classes.fields}>
          {form.kind === 'CRON' ? <CronFields {...props} /> : null}
          {form.kind === 'DEPENDENCY' ? <DependencyFields {...props} jobId={jobId} /> : null}
          {form.kind === 'FIXED_RATE' ? (
            <>
              <TextField
                {...props}
                name="every"
                label={t('when.every')}
                description={t('when.everyHint')}
                placeholder="30s"
                required
                mono
              />
              <TextField
                {...props}
                name="startAt"
                type="datetime-local"
                label={t('when.anchor', { zone: form.zone })}
                description={t('when.anchorHint')}
              />
            </>
          ) : null}
          {form.kind === 'FIXED_DELAY' ? (
            <TextField
              {...props}
              name="delay"
              label={t('when.delay')}
              description={t('when.delayHint')}
              placeholder="10m"
              required
              mono
            />
          ) : null}
        </div>
        {form.kind === 'MANUAL' ? <p className={classes.quiet}>{t('when.manual')}</p> : null}
        <Switch
          label={t('when.enabled')}
          description={t('when.enabledHint')}
          checked={form.enabled}
          onChange={(event) => set('enabled', event.currentTarget.checked)}
        />
      </div>
    </Panel>
  );
}

function CronFields(props: SectionProps) {
  const { form, set, errors } = props;
  const { t } = useTranslation('editor');
  return (
    <>
      <div className={classes.wide}>
        <CronBuilder {...props} />
      </div>
      <ZoneSelect
        label={t('when.zone')}
        description={t('when.zoneHint', { zone: browserZone() })}
        value={form.zone}
        onChange={(zone) => set('zone', zone)}
        error={errors.zone}
      />
      <TextField
        {...props}
        name="jitter"
        label={t('when.jitter')}
        description={t('when.jitterHint')}
        placeholder={t('when.none')}
        mono
      />
      <CalendarFields {...props} />
      <TextField
        {...props}
        name="startAt"
        type="datetime-local"
        label={t('when.startAt')}
        description={t('when.inZone', { zone: form.zone })}
      />
      <TextField
        {...props}
        name="endAt"
        type="datetime-local"
        label={t('when.endAt')}
        description={t('when.inZone', { zone: form.zone })}
      />
    </>
  );
}
