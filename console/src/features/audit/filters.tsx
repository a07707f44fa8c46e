import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { FilterBar, FilterChip } from '@/components/ui/filter-bar';
import { RoleAppsQuery } from '@/features/users/queries';
import { type AuditSearch, activeFilters, auditKinds, noFilters } from './search';
import { useWords } from './words';

interface FiltersProps {
  search: AuditSearch;
  onChange: (change: Partial<AuditSearch>) => void;
}

const spans = { day: 1, week: 7, month: 30 } as const;

/** What is looked for; it stands in the address. */
export function AuditFilters({ search, onChange }: FiltersProps) {
  const { t } = useTranslation('audit');
  const [apps] = useQuery({ query: RoleAppsQuery });
  return (
    <FilterBar
      search={search.q}
      searchLabel={t('search')}
      onSearch={(q) => onChange({ q })}
      active={activeFilters(search)}
      onReset={() => onChange(noFilters)}
    >
      <ActorField key={search.actor ?? ''} value={search.actor} onChange={onChange} />
      <Select
        aria-label={t('filter.kind')}
        placeholder={t('filter.kind')}
        w={150}
        clearable
        searchable
        value={search.kind ?? null}
        data={auditKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        onChange={(kind) =>
          onChange({ kind: auditKinds.find((k) => k === kind), object: undefined })
        }
      />
      <Select
        aria-label={t('filter.app')}
        placeholder={t('filter.app')}
        w={150}
        clearable
        searchable
        value={search.app ?? null}
        data={(apps.data?.apps ?? []).map((app) => ({ value: app.id, label: app.name }))}
        onChange={(app) => onChange({ app: app ?? undefined })}
      />
      <Select
        aria-label={t('filter.time')}
        placeholder={t('filter.time')}
        w={150}
        clearable
        value={null}
        data={(['day', 'week', 'month'] as const).map((value) => ({
          value,
          label: t(`span.${value}`),
        }))}
        onChange={(chosen) => {
          const span = (['day', 'week', 'month'] as const).find((each) => each === chosen);
          if (!span) return;
          const from = new Date(Date.now() - spans[span] * 86_400_000).toISOString();
          onChange({ from, to: undefined });
        }}
      />
      <Chips search={search} onChange={onChange} />
    </FilterBar>
  );
}

function Chips({ search, onChange }: FiltersProps) {
  const { t } = useTranslation('audit');
  const words = useWords();
  const chips = [
    ['action', search.action && words.action(search.action)],
    ['object', search.object],
    ['from', search.from],
    ['to', search.to],
  ] as const;
  return chips.map(([name, value]) =>
    value ? (
      <FilterChip
        key={name}
        label={t(name)}
        value={value}
        onRemove={() => onChange({ [name]: undefined })}
      />
    ) : null,
  );
}

function ActorField(props: { value: string | undefined; onChange: FiltersProps['onChange'] }) {
  const { t } = useTranslation('audit');
  const [text, setText] = useState(props.value ?? '');
  const commit = () => {
    const actor = text.trim() || undefined;
    if (actor !== props.value) props.onChange({ actor });
  };
  return (
    <TextInput
      aria-label={t('filter.actor')}
      placeholder={t('filter.actor')}
      w={150}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
    />
  );
}
