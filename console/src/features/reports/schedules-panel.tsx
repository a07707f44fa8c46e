import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, ActionIconButton } from '@/components/ui/action-button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { type Column, DataTable } from '@/components/ui/data-table';
import { Panel } from '@/components/ui/page';
import { EmptyState, ErrorLine, ErrorState } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import own from '@/features/alerts/alerts.module.css';
import { weekText } from '@/features/calendars/week';
import type { ScheduleRowFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useRead } from '@/graphql/use-read';
import { listMark } from '@/i18n/locale';
import { weekdayNames } from '@/time/week';
import { DeleteReportSchedule, ReportSchedulesQuery, SendReportNow } from './queries';
import classes from './reports.module.css';
import { ScheduleDialog } from './schedule-dialog';
import { usualTime } from './search';

type Open = { what: 'edit' | 'delete'; schedule: ScheduleRowFragment } | { what: 'new' } | null;

/** When reports are sent, and to whom. */
export function SchedulesPanel() {
  const { t } = useTranslation('reports');
  const read = useRead({ query: ReportSchedulesQuery, variables: {} });
  const rows = read.data?.reportSchedules;
  const [open, setOpen] = useState<Open>(null);
  const columns = useColumns(setOpen);
  return (
    <Panel
      flush
      title={t('schedules.title')}
      actions={
        <ActionButton atLeast="DEVELOPER" icon="plus" onClick={() => setOpen({ what: 'new' })}>
          {t('schedules.create')}
        </ActionButton>
      }
    >
      {read.error && rows ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {read.error && !rows ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : (
        <DataTable
          label={t('schedules.title')}
          columns={columns}
          rows={rows}
          rowKey={(schedule) => schedule.id}
          refreshing={read.refreshing}
          skeletonRows={2}
          empty={
            <EmptyState icon="report" title={t('schedules.none')}>
              {t('schedules.noneText')}
            </EmptyState>
          }
        />
      )}
      <ScheduleDialog
        opened={open?.what === 'new' || open?.what === 'edit'}
        schedule={open?.what === 'edit' ? open.schedule : null}
        onClose={() => setOpen(null)}
      />
      <DeleteDialog
        schedule={open?.what === 'delete' ? open.schedule : null}
        onClose={() => setOpen(null)}
      />
    </Panel>
  );
}

function useColumns(onOpen: (open: Open) => void): Column<ScheduleRowFragment>[] {
  const { t, i18n } = useTranslation('reports');
  const { t: tc } = useTranslation();
  const days = weekdayNames(i18n.language, 'short');
  return [
    {
      id: 'name',
      header: t('schedules.name'),
      title: true,
      cell: (schedule) => (
        <>
          <Link
            className={classes.name}
            to="/reports"
            search={{
              app: schedule.app?.id,
              at: schedule.at === usualTime ? undefined : schedule.at,
              zone: schedule.zone,
            }}
          >
            {schedule.name}
          </Link>
          {schedule.enabled ? null : <span className={own.sub}>{t('schedules.off')}</span>}
        </>
      ),
    },
    {
      id: 'app',
      header: t('app'),
      cell: (schedule) => schedule.app?.name ?? t('allApps'),
    },
    {
      id: 'when',
      header: t('schedules.when'),
      cell: (schedule) => (
        <>
          {weekText(schedule.days, days, i18n.language) || t('schedules.everyDay')} {schedule.at}
          <span className={own.sub}>{schedule.zone}</span>
        </>
      ),
    },
    {
      id: 'to',
      header: t('schedules.to'),
      cell: (schedule) =>
        [...schedule.channels, ...schedule.people]
          .map(({ name }) => name)
          .join(listMark(i18n.language)) || null,
    },
    {
      id: 'last',
      header: t('schedules.last'),
      width: '120px',
      cell: (schedule) => (
        <TimeText at={schedule.lastSentAt} format="relative" empty={t('schedules.never')} />
      ),
    },
    {
      id: 'next',
      header: t('schedules.next'),
      width: '140px',
      cell: (schedule) => <TimeText at={schedule.enabled ? schedule.nextAt : null} />,
    },
    {
      id: 'actions',
      header: t('schedules.actions'),
      width: '110px',
      align: 'end',
      bare: true,
      cell: (schedule) => (
        <span className={classes.actions}>
          <SendNow schedule={schedule} />
          <ActionIconButton
            atLeast="DEVELOPER"
            icon="edit"
            label={tc('actions.edit')}
            onClick={() => onOpen({ what: 'edit', schedule })}
          />
          <ActionIconButton
            atLeast="DEVELOPER"
            icon="trash"
            label={tc('actions.delete')}
            onClick={() => onOpen({ what: 'delete', schedule })}
          />
        </span>
      ),
    },
  ];
}

function SendNow({ schedule }: { schedule: ScheduleRowFragment }) {
  const { t } = useTranslation('reports');
  const action = useMutationAction(SendReportNow, {
    pick: (data) => data.sendReportNow,
    success: () => ({
      text: t('schedules.sent', { name: schedule.name }),
      link: { text: t('schedules.toDeliveries'), to: '/alerts/deliveries' },
    }),
  });
  return (
    <ActionIconButton
      atLeast="DEVELOPER"
      icon="send"
      label={t('schedules.sendNow')}
      busy={action.busy}
      onClick={() => void action.run({ id: schedule.id })}
    />
  );
}

function DeleteDialog(props: { schedule: ScheduleRowFragment | null; onClose: () => void }) {
  const { t } = useTranslation('reports');
  const { t: tc } = useTranslation();
  const name = props.schedule?.name ?? '';
  const action = useMutationAction(DeleteReportSchedule, {
    pick: (data) => data.deleteReportSchedule,
    success: () => t('schedules.deleted', { name }),
    refusals: 'form',
  });
  const close = () => {
    action.clear();
    props.onClose();
  };
  const remove = async () => {
    if (!props.schedule) return;
    const { payload } = await action.run({ id: props.schedule.id });
    if (payload) close();
  };
  return (
    <ConfirmDialog
      opened={props.schedule !== null}
      onClose={close}
      title={t('schedules.deleteTitle', { name })}
      confirm={tc('actions.delete')}
      danger
      busy={action.busy}
      error={action.userErrors.map((e) => e.message).join(' ') || null}
      onConfirm={() => void remove()}
    >
      <p>{t('schedules.deleteText')}</p>
    </ConfirmDialog>
  );
}
