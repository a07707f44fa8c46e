import { Button, Checkbox, Group, NumberInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormBody, FormDialog } from '@/components/ui/form-dialog';
import { InstantField } from '@/components/ui/instant-field';
import { JsonField, parseJson } from '@/components/ui/json-field';
import { fieldErrors } from '@/graphql/field-errors';
import type { CreateBackfillInput } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useZone } from '@/time/view';
import own from './backfill.module.css';
import { PreviewBox } from './preview-box';
import { CreateBackfill } from './queries';
import { presetRange, presets } from './ranges';
import { toMake, useBackfillPreview } from './use-preview';

/** What the dialog needs to know of a job. */
export interface BackfillJob {
  id: string;
  name: string;
  parameters: unknown;
  trigger: { zone: string | null };
}

interface BackfillDialogProps {
  job: BackfillJob;
  opened: boolean;
  onClose: () => void;
}

/** Runs the fires of a past range again, or those that have no task: with a live preview of what it would do. */
export function BackfillDialog(props: BackfillDialogProps) {
  const { t } = useTranslation('backfill');
  return (
    <FormDialog
      opened={props.opened}
      onClose={props.onClose}
      size="xl"
      title={t('dialog.title', { name: props.job.name })}
    >
      <BackfillForm {...props} />
    </FormDialog>
  );
}

const paths = [
  'input.from',
  'input.to',
  'input.parameters',
  'input.perMinute',
  'input.maxRunning',
] as const;

function useForm(job: BackfillJob, zone: string) {
  const [before] = useState(() =>
    job.parameters == null ? '' : JSON.stringify(job.parameters, null, 2),
  );
  const [state, setState] = useState(() => ({
    ...(presetRange('yesterday', new Date(), zone) as { from: string | null; to: string | null }),
    onlyMissing: true,
    perMinute: 60 as number | '',
    maxRunning: 10 as number | '',
    parameters: before,
  }));
  const set = (change: Partial<typeof state>) => setState((old) => ({ ...old, ...change }));
  const parsed = parseJson(state.parameters);
  const { from, to, perMinute, maxRunning } = state;
  const complete = from && to && perMinute !== '' && maxRunning !== '' && parsed.ok;
  const input: CreateBackfillInput | null = complete
    ? {
        job: job.id,
        from,
        to,
        onlyMissing: state.onlyMissing,
        perMinute,
        maxRunning,
        ...(state.parameters !== before && { parameters: parsed.value ?? null }),
      }
    : null;
  return { state, set, input };
}

function BackfillForm({ job, onClose }: BackfillDialogProps) {
  const { t } = useTranslation('backfill');
  const navigate = useNavigate();
  const zone = useZone(job.trigger.zone);
  const { state, set, input } = useForm(job, zone);
  const preview = useBackfillPreview(input);
  // A second press of the button, or a repeated request, starts no second backfill.
  const [requestId] = useState(() => crypto.getRandomValues(new Uint32Array(4)).join('-'));
  const action = useMutationAction(CreateBackfill, {
    pick: (data) => data.createBackfill,
    success: () => t('started', { name: job.name }),
    refusals: 'form',
  });
  const told = preview.data?.error;
  const errors = fieldErrors([...action.userErrors, ...(told ? [told] : [])], paths);
  const nothing =
    preview.fits && preview.data !== undefined && toMake(preview.data, state.onlyMissing) === 0;

  const submit = async () => {
    if (!input || nothing) return;
    const { payload } = await action.run({ input: { ...input, requestId } });
    if (!payload?.backfill) return;
    onClose();
    void navigate({ to: '/backfills/$backfillId', params: { backfillId: payload.backfill.id } });
  };
  const count = (field: 'perMinute' | 'maxRunning') => (
    <NumberInput
      label={t(`dialog.${field}`)}
      description={t(`dialog.${field}Hint`)}
      min={1}
      allowDecimal={false}
      allowNegative={false}
      value={state[field]}
      onChange={(value) => set({ [field]: typeof value === 'number' ? value : '' })}
      error={errors.at[`input.${field}`]}
    />
  );

  return (
    <FormBody
      problems={errors.rest}
      busy={action.busy}
      submit={t('dialog.start')}
      disabled={!input || nothing}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      <div className={own.range}>
        <InstantField
          autoFocus
          label={t('dialog.from')}
          zone={zone}
          value={state.from}
          onChange={(from) => set({ from })}
          error={errors.at['input.from']}
        />
        <InstantField
          label={t('dialog.to')}
          zone={zone}
          value={state.to}
          onChange={(to) => set({ to })}
          error={errors.at['input.to']}
        />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields, this groups buttons */}
      <div className={own.presets} role="group" aria-label={t('dialog.presets')}>
        {presets.map((preset) => (
          <Button
            key={preset}
            size="compact-xs"
            variant="default"
            onClick={() => set(presetRange(preset, new Date(), zone))}
          >
            {t(`preset.${preset}`)}
          </Button>
        ))}
      </div>
      <Checkbox
        label={t('dialog.onlyMissing')}
        description={t('dialog.onlyMissingHint')}
        checked={state.onlyMissing}
        onChange={(event) => set({ onlyMissing: event.currentTarget.checked })}
      />
      <PreviewBox preview={preview} zone={job.trigger.zone} onlyMissing={state.onlyMissing} />
      <Group grow align="start" gap={12}>
        {count('perMinute')}
        {count('maxRunning')}
      </Group>
      <JsonField
        label={t('dialog.parameters')}
        description={t('dialog.parametersHint')}
        rows={3}
        value={state.parameters}
        onChange={(parameters) => set({ parameters })}
        error={errors.at['input.parameters']}
      />
    </FormBody>
  );
}
