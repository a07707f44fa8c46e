import { Select, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { FormBody, FormDialog } from '@/components/ui/form-dialog';
import { WeekdayPicker } from '@/components/ui/weekday-picker';
import { ZoneSelect } from '@/components/ui/zone-select';
import { ReceiverFields } from '@/features/alert-rules/receiver-fields';
import { positionsOf, weekdaysAt } from '@/features/calendars/week';
import { AppNamesQuery } from '@/features/jobs/queries';
import { fieldErrors } from '@/graphql/field-errors';
import type { ScheduleRowFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useTimeSettings } from '@/time/view';
import { CreateReportSchedule, UpdateReportSchedule } from './queries';
import classes from './reports.module.css';

interface ScheduleDialogProps {
  opened: boolean;
  /** The one to edit; null to make one. */
  schedule: ScheduleRowFragment | null;
  onClose: () => void;
}

/** Says when a report is sent, of which app, and to whom. */
export function ScheduleDialog(props: ScheduleDialogProps) {
  const { t } = useTranslation('reports');
  return (
    <FormDialog
      opened={props.opened}
      onClose={props.onClose}
      size="lg"
      title={
        props.schedule
          ? t('schedules.editTitle', { name: props.schedule.name })
          : t('schedules.create')
      }
    >
      <Form {...props} />
    </FormDialog>
  );
}

const paths = [
  'input.name',
  'input.app',
  'input.zone',
  'input.at',
  'input.days',
  'input.channels',
  'input.people',
] as const;

function useForm(schedule: ScheduleRowFragment | null) {
  const { ownZone } = useTimeSettings();
  const [form, setForm] = useState(() => ({
    name: schedule?.name ?? '',
    app: schedule?.app?.id ?? null,
    zone: schedule?.zone ?? ownZone,
    at: schedule?.at ?? '08:30',
    days: positionsOf(schedule?.days ?? []),
    channels: schedule?.channels.map(({ id }) => id) ?? [],
    people: schedule?.people.map(({ id }) => id) ?? [],
    enabled: schedule?.enabled ?? true,
  }));
  const set = (over: Partial<typeof form>) => setForm((old) => ({ ...old, ...over }));
  return { form, set };
}

function Form({ schedule, onClose }: ScheduleDialogProps) {
  const { t } = useTranslation('reports');
  const { t: tc } = useTranslation();
  const [names] = useQuery({ query: AppNamesQuery });
  const { form, set } = useForm(schedule);
  const options = { refusals: 'form', success: () => t('schedules.saved') } as const;
  const create = useMutationAction(CreateReportSchedule, {
    pick: (data) => data.createReportSchedule,
    ...options,
  });
  const update = useMutationAction(UpdateReportSchedule, {
    pick: (data) => data.updateReportSchedule,
    ...options,
  });
  const action = schedule ? update : create;
  const errors = fieldErrors(action.userErrors, paths);
  const submit = async () => {
    const input = { ...form, name: form.name.trim(), days: weekdaysAt(form.days) };
    const { payload } = schedule
      ? await update.run({ id: schedule.id, input: { ...input, version: schedule.version } })
      : await create.run({ input });
    if (payload) onClose();
  };
  return (
    <FormBody
      problems={errors.rest}
      busy={action.busy}
      submit={schedule ? tc('actions.save') : t('schedules.createSubmit')}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      <div className={classes.fields}>
        <TextInput
          data-autofocus
          withAsterisk
          aria-required
          label={t('schedules.name')}
          value={form.name}
          autoComplete="off"
          onChange={(event) => set({ name: event.currentTarget.value })}
          error={errors.at['input.name']}
        />
        <Select
          clearable
          searchable
          label={t('app')}
          placeholder={t('allApps')}
          value={form.app}
          data={(names.data?.apps ?? []).map((app) => ({ value: app.id, label: app.name }))}
          onChange={(app) => set({ app })}
          error={errors.at['input.app']}
        />
        <TextInput
          type="time"
          label={t('schedules.at')}
          value={form.at}
          onChange={(event) => set({ at: event.currentTarget.value })}
          error={errors.at['input.at']}
        />
        <ZoneSelect
          label={t('zone')}
          value={form.zone}
          onChange={(zone) => set({ zone })}
          error={errors.at['input.zone']}
        />
      </div>
      <WeekdayPicker
        label={t('schedules.days')}
        description={t('schedules.daysHint')}
        value={form.days}
        onChange={(days) => set({ days })}
        error={errors.at['input.days']}
      />
      <div className={classes.fields}>
        <ReceiverFields
          channels={form.channels}
          people={form.people}
          onChannels={(channels) => set({ channels })}
          onPeople={(people) => set({ people })}
          errors={{ channels: errors.at['input.channels'], people: errors.at['input.people'] }}
        />
      </div>
      <Switch
        label={t('schedules.enabled')}
        checked={form.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
    </FormBody>
  );
}
