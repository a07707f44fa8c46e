import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import type { CalendarDetailFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { CalendarDialog } from './calendar-dialog';
import { ImportDialog } from './import-dialog';
import { DeleteCalendar } from './queries';

interface CalendarActionsProps {
  calendar: CalendarDetailFragment;
  /** The year that is shown. */
  year: number;
}

/** Import days, edit the calendar, delete it. */
export function CalendarActions({ calendar, year }: CalendarActionsProps) {
  const { t } = useTranslation('calendars');
  const { t: tc } = useTranslation();
  const [open, setOpen] = useState<'import' | 'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <ActionButton atLeast="DEVELOPER" icon="download" onClick={() => setOpen('import')}>
        {t('import.button')}
      </ActionButton>
      <ActionButton atLeast="DEVELOPER" icon="edit" onClick={() => setOpen('edit')}>
        {tc('actions.edit')}
      </ActionButton>
      <ActionButton
        atLeast="DEVELOPER"
        icon="trash"
        reason={calendar.jobCount > 0 ? t('inUse', { count: calendar.jobCount }) : null}
        onClick={() => setOpen('delete')}
      >
        {tc('actions.delete')}
      </ActionButton>
      <ImportDialog calendar={calendar} year={year} opened={open === 'import'} onClose={close} />
      <CalendarDialog calendar={calendar} opened={open === 'edit'} onClose={close} />
      <Delete calendar={calendar} opened={open === 'delete'} onClose={close} />
    </>
  );
}

function Delete(props: { calendar: CalendarDetailFragment; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('calendars');
  const { t: tc } = useTranslation();
  const navigate = useNavigate();
  const { calendar } = props;
  const action = useMutationAction(DeleteCalendar, {
    pick: (data) => data.deleteCalendar,
    success: () => t('deleted', { name: calendar.name }),
    refusals: 'form',
  });
  const run = async () => {
    const { payload } = await action.run({ id: calendar.id });
    if (payload) void navigate({ to: '/calendars' });
  };
  return (
    <ConfirmDialog
      opened={props.opened}
      onClose={() => {
        action.clear();
        props.onClose();
      }}
      title={t('deleteTitle', { name: calendar.name })}
      confirm={tc('actions.delete')}
      danger
      busy={action.busy}
      error={action.userErrors.map((e) => e.message).join(' ') || null}
      onConfirm={() => void run()}
    >
      {t('deleteText')}
    </ConfirmDialog>
  );
}
