import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { TimeText } from '@/components/ui/time-text';
import { formatDuration } from '@/time/duration';
import { RevisionCalendar, RevisionGroup, RevisionJob } from './queries';

/** A field's value as people read it. */
export function Value({ field, value }: { field: string; value: unknown }): ReactNode {
  const { t, i18n } = useTranslation('revisions');
  const { t: ts } = useTranslation('states');
  const words = useWords();
  if (typeof value === 'number') {
    if (field.endsWith('Ms')) return formatDuration(value);
    if (field === 'retry.jitter') return `± ${Math.round(value * 100)} %`;
    return new Intl.NumberFormat(i18n.language).format(value);
  }
  if (typeof value === 'boolean') {
    return field === 'enabled' ? ts(value ? 'job.ENABLED' : 'job.PAUSED') : t(value ? 'yes' : 'no');
  }
  if (field === 'trigger.upstream' && Array.isArray(value)) return <Upstream list={value} />;
  if (typeof value !== 'string') return <code>{JSON.stringify(value)}</code>;
  if (value === '') return t('empty');
  switch (field) {
    case 'group':
      return <GroupName id={value} />;
    case 'trigger.calendar':
      return <CalendarName id={value} />;
    case 'trigger.startAt':
    case 'trigger.endAt':
      return <TimeText at={value} format="full" />;
    case 'description':
    case 'name':
      return value;
  }
  return words(field, value) ?? <code>{value}</code>;
}

const priorities = ['LOW', 'NORMAL', 'HIGH', 'CRITICAL'] as const;
const kinds = ['CRON', 'FIXED_RATE', 'FIXED_DELAY', 'MANUAL', 'DEPENDENCY'] as const;
const overlaps = ['ALLOW', 'SKIP', 'QUEUE', 'REPLACE'] as const;
const deliveries = ['AT_LEAST_ONCE', 'AT_MOST_ONCE'] as const;
const modes = ['ALL', 'ANY'] as const;
const windows = ['RUN', 'HOUR', 'DAY', 'WEEK', 'MONTH'] as const;
const policies = ['SKIP', 'FIRE_ONCE', 'FIRE_ALL'] as const;
const backoffs = ['FIXED', 'EXPONENTIAL'] as const;
const restDays = ['SKIP', 'NEXT_WORKING_DAY', 'PREVIOUS_WORKING_DAY'] as const;

/** The words for a code, by the field that it stands in; null for one that is not known here. */
function useWords(): (field: string, value: string) => string | null {
  const { t } = useTranslation('revisions');
  const { t: tj } = useTranslation('job');
  const { t: ts } = useTranslation('states');
  const word = <C extends string>(codes: readonly C[], say: (code: C) => string) => {
    return (value: string) => {
      const code = codes.find((each) => each === value);
      return code ? say(code) : null;
    };
  };
  const words: Record<string, (value: string) => string | null> = {
    priority: word(priorities, (code) => ts(`priority.${code}`)),
    concurrency: word(overlaps, (code) => tj(`concurrency.${code}`)),
    delivery: word(deliveries, (code) => tj(`delivery.${code}`)),
    'trigger.kind': word(kinds, (code) => ts(`trigger.${code}`)),
    'trigger.mode': word(modes, (code) => tj(`deps.mode.${code}`)),
    'trigger.window': word(windows, (code) => tj(`deps.windows.${code}`)),
    'trigger.onRestDay': word(restDays, (code) => t(`restDay.${code}`)),
    'misfire.policy': word(policies, (code) => t(`misfire.${code}`)),
    'retry.backoff': word(backoffs, (code) => t(`backoff.${code}`)),
  };
  return (field, value) => words[field]?.(value) ?? null;
}

function Upstream({ list }: { list: unknown[] }) {
  const { t } = useTranslation('job');
  const { t: tr } = useTranslation('revisions');
  const entries = list as { job: string; on: 'SUCCESS' | 'FAILURE' | 'COMPLETION' }[];
  return entries.map((entry, i) => (
    <span key={entry.job}>
      {i > 0 ? tr('comma') : null}
      <JobName id={entry.job} /> ({t(`deps.on.${entry.on}`)})
    </span>
  ));
}

// Definitions hold ids; what was deleted since has no name any more.
function GroupName({ id }: { id: string }) {
  const [{ data }] = useQuery({ query: RevisionGroup, variables: { id } });
  return data?.nodeGroup?.name ?? <code>{id}</code>;
}

function CalendarName({ id }: { id: string }) {
  const [{ data }] = useQuery({ query: RevisionCalendar, variables: { id } });
  return data?.calendar?.name ?? <code>{id}</code>;
}

function JobName({ id }: { id: string }) {
  const [{ data }] = useQuery({ query: RevisionJob, variables: { id } });
  return data?.job?.name ?? <code>{id}</code>;
}
