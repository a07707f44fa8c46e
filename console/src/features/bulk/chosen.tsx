import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { TaskStateBadge } from '@/components/ui/state-badge';
import { TimeText } from '@/components/ui/time-text';
import { type Deed, usual } from '@/features/tasks/deeds';
import { BackfillName, JobName, NodeName } from '@/features/tasks/filter-chips';
import { TaskGroupsQuery } from '@/features/tasks/queries';
import { readTasksSearch, type TasksSearch } from '@/features/tasks/search';
import own from './bulk.module.css';

/** How an operation's tasks were chosen, as the ledger keeps it. */
export interface Selection {
  /** How many were named one by one; null when a filter chose them. */
  named: number | null;
  asOf: string | null;
  /** The filter as the tasks list has it in its address. */
  search: TasksSearch;
}

/** Reads what the server answers as `selection`; what it does not know is left out. */
export function readSelection(raw: unknown): Selection {
  const found = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {};
  return {
    named: typeof found.named === 'number' ? found.named : null,
    asOf: typeof found.asOf === 'string' ? found.asOf : null,
    search: readTasksSearch({ ...found, q: found.search, after: undefined }),
  };
}

/** A filter in words, one condition a line, with links to what it names. */
export function Conditions({ search, deed }: { search: TasksSearch; deed: Deed }) {
  const { t } = useTranslation('tasks');
  const { t: tb } = useTranslation('bulk');
  const { t: ts } = useTranslation('states');
  const { job, app, group, node, backfill, trigger, q, from, to } = search;
  const [groups] = useQuery({ query: TaskGroupsQuery, pause: !app && !group });
  const all = groups.data?.nodeGroups ?? [];
  const known = all.find((each) => each.id === group);
  const condition = (label: string, value: ReactNode) =>
    value ? (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ) : null;
  return (
    <dl className={own.conditions}>
      {condition(
        t('filter.states'),
        <span className={own.badges}>
          {(search.states ?? usual[deed]).map((state) => (
            <TaskStateBadge key={state} state={state} />
          ))}
          {search.states ? null : <span className={own.quiet}>{tb('chosen.usual')}</span>}
        </span>,
      )}
      {condition(t('filter.job'), job ? <JobName id={job} /> : null)}
      {condition(t('filter.backfill'), backfill ? <BackfillName id={backfill} /> : null)}
      {condition(t('filter.node'), node ? <NodeName id={node} /> : null)}
      {condition(
        t('filter.app'),
        app ? (all.find((g) => g.app.id === app)?.app.name ?? app) : null,
      )}
      {condition(t('filter.group'), known ? `${known.app.name} / ${known.name}` : group)}
      {condition(t('filter.trigger'), trigger ? ts(`trigger.${trigger}`) : null)}
      {condition(t('search'), q ? <code>{q}</code> : null)}
      {condition(tb('chosen.from'), from ? <TimeText at={from} format="full" /> : null)}
      {condition(tb('chosen.to'), to ? <TimeText at={to} format="full" /> : null)}
    </dl>
  );
}

/** How an operation's tasks were chosen, in words. */
export function Chosen({ selection: raw, deed }: { selection: unknown; deed: Deed }) {
  const { t, i18n } = useTranslation('bulk');
  const { named, asOf, search } = readSelection(raw);
  const shown = new Intl.NumberFormat(i18n.language).format(named ?? 0);
  if (named !== null) return <p>{t('chosen.named', { count: named, shown })}</p>;
  return (
    <div className={own.chosen}>
      <p>{t('chosen.filter')}</p>
      <Conditions search={search} deed={deed} />
      <p className={own.quiet}>
        {t('chosen.asOf')} <TimeText at={asOf} format="full" />
      </p>
      <Link to="/tasks" search={search}>
        {t('chosen.now')}
      </Link>
    </div>
  );
}
