import { Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormBody, FormDialog } from '@/components/ui/form-dialog';
import { WeekdayPicker } from '@/components/ui/weekday-picker';
import { fieldErrors } from '@/graphql/field-errors';
import type { CalendarDetailFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { CreateCalendar, UpdateCalendar } from './queries';
import { positionsOf, weekdaysAt } from './week';

interface CalendarDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The calendar to edit; absent to make one. */
  calendar?: CalendarDetailFragment;
  /** Apps to choose from for a new one. */
  apps?: { value: string; label: string }[];
  app?: string | undefined;
  onMade?: (id: string) => void;
}

/** Makes a calendar or changes its name, description and the days of the week that are at rest. */
export function CalendarDialog(props: CalendarDialogProps) {
  const { t } = useTranslation('calendars');
  return (
    <FormDialog
      opened={props.opened}
      onClose={props.onClose}
      title={props.calendar ? t('editTitle', { name: props.calendar.name }) : t('create')}
    >
      <Form {...props} />
    </FormDialog>
  );
}

const paths = ['input.app', 'input.name', 'input.description', 'input.restDays'] as const;
const weekend = [5, 6];

function useSubmit({ calendar, onClose, onMade }: CalendarDialogProps) {
  const { t } = useTranslation('calendars');
  const create = useMutationAction(CreateCalendar, {
    pick: (data) => data.createCalendar,
    refusals: 'form',
  });
  const update = useMutationAction(UpdateCalendar, {
    pick: (data) => data.updateCalendar,
    success: (payload) => t('saved', { name: payload.calendar?.name }),
    refusals: 'form',
  });
  const run = async (app: string, fields: Fields) => {
    if (calendar) {
      const input = { id: calendar.id, version: calendar.version, ...fields };
      if ((await update.run({ input })).payload) onClose();
      return;
    }
    const { payload } = await create.run({ input: { app, ...fields } });
    if (payload?.calendar) onMade?.(payload.calendar.id);
  };
  const action = calendar ? update : create;
  return { run, busy: action.busy, errors: fieldErrors(action.userErrors, paths) };
}

interface Fields {
  name: string;
  description: string;
  restDays: ReturnType<typeof weekdaysAt>;
}

function Form(props: CalendarDialogProps) {
  const { t } = useTranslation('calendars');
  const { t: tc } = useTranslation();
  const { calendar, apps = [] } = props;
  const [app, setApp] = useState(props.app ?? apps[0]?.value ?? '');
  const [name, setName] = useState(calendar?.name ?? '');
  const [description, setDescription] = useState(calendar?.description ?? '');
  const [rest, setRest] = useState(calendar ? positionsOf(calendar.restDays) : weekend);
  const { run, busy, errors } = useSubmit(props);
  const submit = () => {
    void run(app, { name: name.trim(), description, restDays: weekdaysAt(rest) });
  };
  return (
    <FormBody
      problems={errors.rest}
      busy={busy}
      submit={calendar ? tc('actions.save') : t('createSubmit')}
      onSubmit={() => void submit()}
      onCancel={props.onClose}
    >
      {calendar ? null : (
        <Select
          label={t('app')}
          description={t('appHint')}
          searchable
          value={app}
          data={apps}
          onChange={(value) => setApp(value ?? app)}
          error={errors.at['input.app']}
        />
      )}
      <TextInput
        data-autofocus
        withAsterisk
        aria-required
        label={t('name')}
        description={t('nameHint')}
        value={name}
        autoComplete="off"
        onChange={(event) => setName(event.currentTarget.value)}
        error={errors.at['input.name']}
      />
      <Textarea
        autosize
        minRows={1}
        label={t('description')}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        error={errors.at['input.description']}
      />
      <WeekdayPicker
        label={t('restDays')}
        description={t('restDaysHint')}
        value={rest}
        onChange={setRest}
        error={errors.at['input.restDays']}
      />
    </FormBody>
  );
}
