import { Button, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { FormBody, FormDialog } from '@/components/ui/form-dialog';
import { InstantField } from '@/components/ui/instant-field';
import { WeekdayPicker } from '@/components/ui/weekday-picker';
import { ZoneSelect } from '@/components/ui/zone-select';
import { everything, type ScopeForm } from '@/features/alerts/scope';
import { ScopeFields } from '@/features/alerts/scope-fields';
import { RuleNamesQuery } from '@/features/incidents/queries';
import { fieldErrors } from '@/graphql/field-errors';
import { silenceKindValues } from '@/graphql/generated/enums';
import type { UserErrorFragment } from '@/graphql/generated/graphql';
import { numberErrors } from '@/graphql/number-errors';
import { useMutationAction } from '@/graphql/use-action';
import { useTimeSettings, useZone } from '@/time/view';
import { CreateSilence } from './queries';
import {
  fromNow,
  lengthOf,
  lengths,
  newSilence,
  type SilenceForm,
  silenceInput,
} from './silence-form';
import classes from './silences.module.css';

interface SilenceDialogProps {
  opened: boolean;
  onClose: () => void;
  /** What is silenced at first; everything when absent. */
  scope?: ScopeForm | undefined;
  rule?: { id: string; name: string } | undefined;
}

/** Makes a silence or a maintenance window, once or recurring. */
export function SilenceDialog(props: SilenceDialogProps) {
  const { t } = useTranslation('silences');
  return (
    <FormDialog opened={props.opened} onClose={props.onClose} size="lg" title={t('create')}>
      <Form {...props} />
    </FormDialog>
  );
}

const paths = [
  'input.kind',
  'input.scope',
  'input.scope.app',
  'input.scope.group',
  'input.scope.job',
  'input.scope.labels',
  'input.rule',
  'input.reason',
  'input.startsAt',
  'input.endsAt',
  'input.recurrence',
  'input.recurrence.days',
  'input.recurrence.from',
  'input.recurrence.to',
  'input.recurrence.zone',
  'input.remindBefore',
] as const;

type Errors = ReturnType<typeof fieldErrors<(typeof paths)[number]>>['at'];

interface PartProps {
  form: SilenceForm;
  set: (over: Partial<SilenceForm>) => void;
  errors: Errors;
}

function Form({ scope, rule, onClose }: SilenceDialogProps) {
  const { t } = useTranslation('silences');
  const { ownZone } = useTimeSettings();
  const [form, setForm] = useState(() => newSilence(new Date(), ownZone, scope ?? everything, ''));
  const [rules] = useQuery({ query: RuleNamesQuery });
  const action = useMutationAction(CreateSilence, {
    pick: (data) => data.createSilence,
    success: () => t('created'),
    refusals: 'form',
  });
  const { t: tc } = useTranslation();
  const [wrong, setWrong] = useState<readonly UserErrorFragment[]>([]);
  const { at: errors, rest } = fieldErrors(wrong.length > 0 ? wrong : action.userErrors, paths);
  const set = (over: Partial<SilenceForm>) => setForm((old) => ({ ...old, ...over }));
  const known = rules.data?.alertRules ?? (rule ? [rule] : []);
  const submit = async () => {
    const remind = { path: 'input.remindBefore', label: t('remind'), text: form.remindBefore };
    const found = numberErrors([{ ...remind, shape: 'duration' }], tc);
    setWrong(found);
    if (found.length > 0) return;
    const { payload } = await action.run({ input: silenceInput(form) });
    if (payload) onClose();
  };
  return (
    <FormBody
      problems={rest}
      busy={action.busy}
      submit={t('createSubmit')}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      <p className={classes.hint}>{t(`kindHint.${form.kind}`)}</p>
      <SegmentedControl
        aria-label={t('kind')}
        value={form.kind}
        data={silenceKindValues.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        onChange={(value) => set({ kind: silenceKindValues.find((k) => k === value) ?? form.kind })}
      />
      <div className={classes.fields}>
        <ScopeFields
          value={form.scope}
          onChange={(next) => set({ scope: next })}
          errors={{
            kind: errors['input.scope'],
            app: errors['input.scope.app'],
            group: errors['input.scope.group'],
            job: errors['input.scope.job'],
            labels: errors['input.scope.labels'],
          }}
        />
        <Select
          clearable
          searchable
          label={t('rule')}
          placeholder={t('anyRule')}
          value={form.rule || null}
          data={known.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => set({ rule: id ?? '' })}
          error={errors['input.rule']}
        />
      </div>
      <When form={form} set={set} errors={errors} />
      <Textarea
        data-autofocus
        autosize
        withAsterisk
        aria-required
        minRows={1}
        maxLength={500}
        label={t('reason')}
        description={t('reasonHint')}
        value={form.reason}
        onChange={(event) => set({ reason: event.currentTarget.value })}
        error={errors['input.reason']}
      />
      <TextInput
        label={t('remind')}
        description={t('remindHint')}
        placeholder={t('remindNone')}
        value={form.remindBefore}
        onChange={(event) => set({ remindBefore: event.currentTarget.value })}
        error={errors['input.remindBefore']}
      />
    </FormBody>
  );
}

function When({ form, set, errors }: PartProps) {
  const { t } = useTranslation('silences');
  const zone = useZone();
  const often = form.how === 'recurring';
  const bounds = (
    <div className={classes.fields}>
      <InstantField
        label={t(often ? 'firstAt' : 'startsAt')}
        minutes
        zone={zone}
        value={form.startsAt}
        onChange={(startsAt) => set({ startsAt })}
        error={errors['input.startsAt']}
      />
      <InstantField
        label={t(often ? 'lastAt' : 'endsAt')}
        minutes
        zone={zone}
        value={form.endsAt}
        onChange={(endsAt) => set({ endsAt })}
        error={errors['input.endsAt']}
      />
    </div>
  );
  return (
    <>
      <SegmentedControl
        aria-label={t('how')}
        value={form.how}
        data={(['once', 'recurring'] as const).map((value) => ({
          value,
          label: t(`hows.${value}`),
        }))}
        onChange={(value) => {
          const how = value === 'recurring' ? 'recurring' : 'once';
          // What recurs holds until somebody ends it, unless an end is given; once has an end.
          const end = form.endsAt ?? fromNow(lengths[1], new Date()).endsAt;
          set({ how, endsAt: how === 'recurring' ? null : end });
        }}
      />
      {often ? (
        <Recurrence form={form} set={set} errors={errors} />
      ) : (
        <Lengths form={form} set={set} />
      )}
      {bounds}
    </>
  );
}

/** Ends so many hours from now. */
function Lengths({ form, set }: Pick<PartProps, 'form' | 'set'>) {
  const { t } = useTranslation('silences');
  const chosen = lengthOf(form);
  return (
    <fieldset className={classes.lengths}>
      <legend className="bf-sr">{t('fromNow')}</legend>
      {lengths.map((hours) => (
        <Button
          key={hours}
          variant={hours === chosen ? 'light' : 'default'}
          aria-pressed={hours === chosen}
          onClick={() => set(fromNow(hours, new Date()))}
        >
          {t('hours', { count: hours })}
        </Button>
      ))}
    </fieldset>
  );
}

function Recurrence({ form, set, errors }: PartProps) {
  const { t } = useTranslation('silences');
  return (
    <>
      <div className={classes.fields}>
        <TextInput
          type="time"
          label={t('from')}
          value={form.from}
          onChange={(event) => set({ from: event.currentTarget.value })}
          error={errors['input.recurrence.from']}
        />
        <TextInput
          type="time"
          label={t('to')}
          description={form.to <= form.from ? t('overMidnight') : undefined}
          value={form.to}
          onChange={(event) => set({ to: event.currentTarget.value })}
          error={errors['input.recurrence.to'] ?? errors['input.recurrence']}
        />
        <ZoneSelect
          label={t('zone')}
          value={form.zone}
          onChange={(next) => set({ zone: next })}
          error={errors['input.recurrence.zone']}
        />
      </div>
      <WeekdayPicker
        label={t('days')}
        description={t('daysHint')}
        value={form.days}
        onChange={(days) => set({ days })}
        error={errors['input.recurrence.days']}
      />
    </>
  );
}
