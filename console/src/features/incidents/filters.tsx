import { MultiSelect, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { FilterBar, FilterChip } from '@/components/ui/filter-bar';
import { ScopeGroupsQuery } from '@/features/alerts/queries';
import { FilteredJobQuery } from '@/features/tasks/queries';
import { rangeStart, ranges } from '@/features/tasks/search';
import { alertEventKindValues, alertSeverityValues } from '@/graphql/generated/enums';
import { RuleNamesQuery } from './queries';
import { activeFilters, type IncidentsSearch, shows } from './search';

interface IncidentFiltersProps {
  search: IncidentsSearch;
  onChange: (change: Partial<IncidentsSearch>) => void;
}

const none: Partial<IncidentsSearch> = {
  show: undefined,
  severities: undefined,
  event: undefined,
  app: undefined,
  group: undefined,
  job: undefined,
  rule: undefined,
  from: undefined,
};

export function IncidentFilters({ search, onChange }: IncidentFiltersProps) {
  const { t } = useTranslation('alerts');
  const { t: tt } = useTranslation('tasks');
  const [scopes] = useQuery({ query: ScopeGroupsQuery });
  const [rules] = useQuery({ query: RuleNamesQuery });
  const group = scopes.data?.nodeGroups.find((each) => each.id === search.group);
  return (
    <FilterBar active={activeFilters(search)} onReset={() => onChange(none)}>
      <Select
        aria-label={t('filter.show')}
        w={150}
        value={search.show ?? 'active'}
        data={shows.map((value) => ({ value, label: t(`show.${value}`) }))}
        onChange={(value) => {
          const show = shows.find((s) => s === value);
          onChange({ show: show === 'active' ? undefined : show });
        }}
      />
      <MultiSelect
        aria-label={t('filter.severity')}
        placeholder={search.severities ? undefined : t('filter.severity')}
        w={190}
        clearable
        value={search.severities ?? []}
        data={alertSeverityValues.map((value) => ({ value, label: t(`severity.${value}`) }))}
        onChange={(values) => {
          const severities = alertSeverityValues.filter((s) => values.includes(s));
          onChange({ severities: severities.length > 0 ? severities : undefined });
        }}
      />
      <Select
        aria-label={t('filter.event')}
        placeholder={t('filter.event')}
        w={180}
        clearable
        searchable
        value={search.event ?? null}
        data={alertEventKindValues.map((value) => ({ value, label: t(`event.${value}`) }))}
        onChange={(value) => onChange({ event: alertEventKindValues.find((e) => e === value) })}
      />
      <Select
        aria-label={t('filter.app')}
        placeholder={t('filter.app')}
        w={140}
        clearable
        searchable
        value={search.app ?? null}
        data={(scopes.data?.apps ?? []).map((app) => ({ value: app.id, label: app.name }))}
        onChange={(app) => onChange({ app: app ?? undefined })}
      />
      <Select
        aria-label={t('filter.rule')}
        placeholder={t('filter.rule')}
        w={170}
        clearable
        searchable
        value={search.rule ?? null}
        data={(rules.data?.alertRules ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(rule) => onChange({ rule: rule ?? undefined })}
      />
      <Select
        aria-label={t('filter.range')}
        placeholder={t(search.from ? 'filter.chosen' : 'filter.range')}
        w={140}
        clearable
        value={null}
        data={[
          ...ranges.map((value) => ({ value, label: tt(`range.${value}`) })),
          ...(search.from ? [{ value: 'all', label: tt('range.all') }] : []),
        ]}
        onChange={(value) => {
          const range = ranges.find((each) => each === value);
          onChange({ from: range ? rangeStart(range, new Date()) : undefined });
        }}
      />
      {search.job ? (
        <FilterChip
          label={t('scope.kind.JOB')}
          value={<JobName id={search.job} />}
          onRemove={() => onChange({ job: undefined })}
        />
      ) : null}
      {search.group ? (
        <FilterChip
          label={t('scope.kind.GROUP')}
          value={group ? `${group.app.name} / ${group.name}` : search.group}
          onRemove={() => onChange({ group: undefined })}
        />
      ) : null}
    </FilterBar>
  );
}

function JobName({ id }: { id: string }) {
  const [{ data }] = useQuery({ query: FilteredJobQuery, variables: { id } });
  return data?.job?.name ?? id;
}
