import { Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Column } from '@/components/ui/data-table';
import { Icon } from '@/components/ui/icon';
import { JobStateBadge } from '@/components/ui/state-badge';
import { TimeText } from '@/components/ui/time-text';
import type { JobRowFragment } from '@/graphql/generated/graphql';
import { jobState } from './job-state';
import classes from './jobs.module.css';
import { OutcomeCounts } from './outcome-counts';
import { RowActions } from './row-actions';

/** The columns of the jobs list. */
export function useJobColumns(onRun: (job: JobRowFragment) => void): Column<JobRowFragment>[] {
  const { t } = useTranslation('jobs');
  return [
    {
      id: 'name',
      header: t('column.name'),
      title: true,
      cell: (job) => <NameCell job={job} />,
    },
    {
      id: 'state',
      header: t('column.state'),
      width: '116px',
      cell: (job) => <JobStateBadge state={jobState(job)} />,
    },
    {
      id: 'trigger',
      header: t('column.trigger'),
      cell: (job) => <span className={classes.clamp}>{job.trigger.description}</span>,
    },
    {
      id: 'home',
      header: t('column.home'),
      cell: (job) => (
        <span className={classes.home}>
          {job.app.name}
          <span className={classes.quiet}> / {job.group.name}</span>
        </span>
      ),
    },
    {
      id: 'next',
      header: t('column.next'),
      width: '128px',
      cell: (job) => (
        <TimeText at={job.enabled ? job.nextFireAt : null} jobZone={job.trigger.zone} />
      ),
    },
    {
      id: 'last',
      header: t('column.last'),
      width: '128px',
      cell: (job) => <TimeText at={job.lastFireAt} jobZone={job.trigger.zone} empty={t('never')} />,
    },
    {
      id: 'day',
      header: t('column.day'),
      width: '120px',
      cell: (job) => <OutcomeCounts stats={job.stats} />,
    },
    {
      id: 'actions',
      header: t('column.actions'),
      width: '84px',
      align: 'end',
      bare: true,
      cell: (job) => <RowActions job={job} onRun={onRun} />,
    },
  ];
}

function NameCell({ job }: { job: JobRowFragment }) {
  const { t } = useTranslation('jobs');
  const concerns = [...(job.invalidReason ? [job.invalidReason] : []), ...job.warnings];
  return (
    <div className={classes.name}>
      <Link to="/jobs/$jobId" params={{ jobId: job.id }}>
        {job.name}
      </Link>
      {concerns.length > 0 ? (
        <Tooltip label={concerns.join(' ')} maw={360}>
          <span
            className={classes.concern}
            role="img"
            aria-label={t('warnings', { text: concerns.join(' ') })}
          >
            <Icon name="warning" size={14} />
          </span>
        </Tooltip>
      ) : null}
      <code className={classes.handler}>{job.handler}</code>
    </div>
  );
}
