import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { FilterBar } from '@/components/ui/filter-bar';
import { jobOrderValues } from '@/graphql/generated/enums';
import { AppNamesQuery } from './queries';
import { activeFilters, type JobsSearch, jobStatuses, jobTriggers } from './search';

interface JobsFiltersProps {
  search: JobsSearch;
  onChange: (change: Partial<JobsSearch>) => void;
}

export function JobsFilters({ search, onChange }: JobsFiltersProps) {
  const { t } = useTranslation('jobs');
  const { t: ts } = useTranslation('states');
  const [apps] = useQuery({ query: AppNamesQuery });
  return (
    <FilterBar
      search={search.q}
      searchLabel={t('search')}
      onSearch={(q) => onChange({ q })}
      active={activeFilters(search)}
      onReset={() =>
        onChange({ q: undefined, app: undefined, status: undefined, trigger: undefined })
      }
    >
      <Select
        aria-label={t('filter.app')}
        placeholder={t('filter.app')}
        w={150}
        searchable
        clearable
        value={search.app ?? null}
        data={(apps.data?.apps ?? []).map((app) => ({ value: app.id, label: app.name }))}
        onChange={(app) => onChange({ app: app ?? undefined })}
      />
      <Select
        aria-label={t('filter.status')}
        placeholder={t('filter.status')}
        w={128}
        clearable
        value={search.status ?? null}
        data={jobStatuses.map((value) => ({ value, label: t(`filter.${value}`) }))}
        onChange={(status) => onChange({ status: jobStatuses.find((s) => s === status) })}
      />
      <Select
        aria-label={t('filter.trigger')}
        placeholder={t('filter.trigger')}
        w={140}
        clearable
        value={search.trigger ?? null}
        data={jobTriggers.map((value) => ({ value, label: ts(`trigger.${value}`) }))}
        onChange={(kind) => onChange({ trigger: jobTriggers.find((k) => k === kind) })}
      />
      <Select
        aria-label={t('order.label')}
        w={168}
        ml="auto"
        value={search.order ?? 'NAME'}
        data={jobOrderValues.map((value) => ({ value, label: t(`order.${value}`) }))}
        onChange={(order) => onChange({ order: jobOrderValues.find((o) => o === order) })}
      />
    </FilterBar>
  );
}
