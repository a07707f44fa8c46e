import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { FilterChip } from '@/components/ui/filter-bar';
import { TimeText } from '@/components/ui/time-text';
import { FilteredBackfillQuery, FilteredJobQuery, FilteredNodeQuery } from './queries';
import type { TasksSearch } from './search';

interface FilterChipsProps {
  search: TasksSearch;
  /** Apps by id, as far as they are known. */
  apps: ReadonlyMap<string, string>;
  onChange: (change: Partial<TasksSearch>) => void;
}

/** The filters that links set: which job, backfill, node or app the list is of, by name. */
export function FilterChips({ search, apps, onChange }: FilterChipsProps) {
  const { t } = useTranslation('tasks');
  const chip = (field: 'job' | 'backfill' | 'node' | 'app', value: (id: string) => ReactNode) =>
    search[field] ? (
      <FilterChip
        key={field}
        label={t(`filter.${field}`)}
        value={value(search[field])}
        onRemove={() => onChange({ [field]: undefined })}
      />
    ) : null;
  return (
    <>
      {chip('job', (id) => (
        <JobName id={id} />
      ))}
      {chip('backfill', (id) => (
        <BackfillName id={id} />
      ))}
      {chip('node', (id) => (
        <NodeName id={id} />
      ))}
      {chip('app', (id) => apps.get(id) ?? id)}
    </>
  );
}

/** A job by its name, with a link to it. */
export function JobName({ id }: { id: string }) {
  const { t } = useTranslation('tasks');
  const [{ data, error }] = useQuery({ query: FilteredJobQuery, variables: { id } });
  if (!data) return error ? id : '…';
  if (!data.job) return t('filter.gone');
  return (
    <Link to="/jobs/$jobId" params={{ jobId: id }}>
      {data.job.name}
    </Link>
  );
}

/** A backfill by its job and range, with a link to it. */
export function BackfillName({ id }: { id: string }) {
  const { t } = useTranslation('tasks');
  const [{ data, error }] = useQuery({ query: FilteredBackfillQuery, variables: { id } });
  if (!data) return error ? id : '…';
  if (!data.backfill) return t('filter.gone');
  const { job, from, to } = data.backfill;
  return (
    <Link to="/backfills/$backfillId" params={{ backfillId: id }}>
      {job.name}, <TimeText at={from} jobZone={job.trigger.zone} /> –{' '}
      <TimeText at={to} jobZone={job.trigger.zone} />
    </Link>
  );
}

/** A node by its name. */
export function NodeName({ id }: { id: string }) {
  const { t } = useTranslation('tasks');
  const [{ data, error }] = useQuery({ query: FilteredNodeQuery, variables: { id } });
  if (!data) return error ? id : '…';
  return data.node?.name ?? t('filter.gone');
}
