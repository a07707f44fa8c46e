import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '@/components/ui/data-table';
import { Panel } from '@/components/ui/page';
import { EmptyState } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { OverviewFieldsFragment } from '@/graphql/generated/graphql';
import classes from './overview.module.css';

type Failure = OverviewFieldsFragment['recentFailures'][number];

/** The latest tasks that wait in the failed queue for a person. */
export function FailuresPanel({ failures }: { failures: readonly Failure[] }) {
  const { t } = useTranslation('overview');
  const columns: Column<Failure>[] = [
    {
      id: 'job',
      header: t('failures.job'),
      title: true,
      width: '28%',
      cell: (task) => (
        <Link to="/tasks/$taskId" params={{ taskId: task.id }} className={classes.jobLink}>
          {task.job.name}
        </Link>
      ),
    },
    {
      id: 'at',
      header: t('failures.at'),
      width: '128px',
      cell: (task) => (
        <TimeText at={task.finishedAt ?? task.scheduledAt} jobZone={task.job.trigger.zone} />
      ),
    },
    {
      id: 'error',
      header: t('failures.error'),
      cell: (task) => <span className={classes.error}>{task.error ?? task.reason}</span>,
    },
  ];
  return (
    <Panel
      title={t('failures.title')}
      flush
      actions={
        <Link to="/tasks" search={{ states: ['FAILED'] }} className={classes.more}>
          {t('failures.all')}
        </Link>
      }
    >
      <DataTable
        label={t('failures.title')}
        columns={columns}
        rows={failures}
        rowKey={(task) => task.id}
        rowHref={(task) => `/tasks/${task.id}`}
        empty={
          <EmptyState icon="check" title={t('failures.none')}>
            {t('failures.noneText')}
          </EmptyState>
        }
      />
    </Panel>
  );
}
