import { MultiSelect, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { FilterBar } from '@/components/ui/filter-bar';
import { taskStateValues, triggerKindValues } from '@/graphql/generated/enums';
import { FilterChips } from './filter-chips';
import { TaskGroupsQuery } from './queries';
import { activeFilters, rangeStart, ranges, type TasksSearch } from './search';

interface TasksFiltersProps {
  search: TasksSearch;
  onChange: (change: Partial<TasksSearch>) => void;
}

const none: Partial<TasksSearch> = {
  q: undefined,
  states: undefined,
  app: undefined,
  group: undefined,
  node: undefined,
  job: undefined,
  backfill: undefined,
  trigger: undefined,
  from: undefined,
  to: undefined,
};

export function TasksFilters({ search, onChange }: TasksFiltersProps) {
  const { t } = useTranslation('tasks');
  const { t: ts } = useTranslation('states');
  const [groups] = useQuery({ query: TaskGroupsQuery });
  const options = (groups.data?.nodeGroups ?? []).map((group) => ({
    value: group.id,
    label: `${group.app.name} / ${group.name}`,
  }));
  const apps = new Map(groups.data?.nodeGroups.map(({ app }) => [app.id, app.name]));
  return (
    <FilterBar
      search={search.q}
      searchLabel={t('search')}
      onSearch={(q) => onChange({ q })}
      active={activeFilters(search)}
      onReset={() => onChange(none)}
    >
      <MultiSelect
        aria-label={t('filter.states')}
        placeholder={search.states ? undefined : t('filter.states')}
        w={240}
        clearable
        value={search.states ?? []}
        data={taskStateValues.map((value) => ({ value, label: ts(`task.${value}`) }))}
        onChange={(values) => {
          const states = taskStateValues.filter((state) => values.includes(state));
          onChange({ states: states.length > 0 ? states : undefined });
        }}
      />
      <Select
        aria-label={t('filter.group')}
        placeholder={t('filter.group')}
        w={190}
        clearable
        searchable
        value={search.group ?? null}
        data={options}
        onChange={(group) => onChange({ group: group ?? undefined })}
      />
      <Select
        aria-label={t('filter.trigger')}
        placeholder={t('filter.trigger')}
        w={140}
        clearable
        value={search.trigger ?? null}
        data={triggerKindValues.map((value) => ({ value, label: ts(`trigger.${value}`) }))}
        onChange={(kind) => onChange({ trigger: triggerKindValues.find((k) => k === kind) })}
      />
      <Select
        aria-label={t('filter.range')}
        placeholder={search.from ? t('filter.chosen') : t('filter.range')}
        w={150}
        clearable
        value={null}
        data={[
          ...ranges.map((value) => ({ value, label: t(`range.${value}`) })),
          ...(search.from || search.to ? [{ value: 'all', label: t('range.all') }] : []),
        ]}
        onChange={(value) => {
          const range = ranges.find((each) => each === value);
          onChange({ from: range ? rangeStart(range, new Date()) : undefined, to: undefined });
        }}
      />
      <FilterChips search={search} apps={apps} onChange={onChange} />
    </FilterBar>
  );
}
