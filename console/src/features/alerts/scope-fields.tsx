import { Select, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { alertScopeKindValues } from '@/graphql/generated/enums';
import { ScopeGroupsQuery, ScopeJobsQuery } from './queries';
import type { ScopeForm } from './scope';

interface ScopeFieldsProps {
  value: ScopeForm;
  onChange: (scope: ScopeForm) => void;
  /** Refusals by the part they belong to. */
  errors: Partial<Record<'kind' | 'app' | 'group' | 'job' | 'labels', string | undefined>>;
}

/** Chooses what a rule or a silence is about. */
export function ScopeFields({ value, onChange, errors }: ScopeFieldsProps) {
  const { t } = useTranslation('alerts');
  const set = (over: Partial<ScopeForm>) => onChange({ ...value, ...over });
  const [result] = useQuery({ query: ScopeGroupsQuery });
  const groups = result.data?.nodeGroups ?? [];
  const apps = result.data?.apps ?? [];
  const examples = { labels: 'team=payments' };
  return (
    <>
      <Select
        label={t('scope.label')}
        description={t(`scope.hint.${value.kind}`)}
        value={value.kind}
        data={alertScopeKindValues.map((kind) => ({ value: kind, label: t(`scope.kind.${kind}`) }))}
        onChange={(kind) =>
          set({ kind: alertScopeKindValues.find((k) => k === kind) ?? value.kind })
        }
        error={errors.kind}
      />
      {value.kind === 'APP' ? (
        <Select
          searchable
          withAsterisk
          label={t('scope.APP')}
          value={value.app || null}
          data={apps.map((app) => ({ value: app.id, label: app.name }))}
          onChange={(app) => set({ app: app ?? '' })}
          error={errors.app}
        />
      ) : null}
      {value.kind === 'GROUP' ? (
        <Select
          searchable
          withAsterisk
          label={t('scope.GROUP')}
          value={value.group || null}
          data={groups.map((group) => ({
            value: group.id,
            label: `${group.app.name} / ${group.name}`,
          }))}
          onChange={(group) => set({ group: group ?? '' })}
          error={errors.group}
        />
      ) : null}
      {value.kind === 'JOB' ? (
        <JobSelect value={value.job} onChange={(job) => set({ job })} error={errors.job} />
      ) : null}
      {value.kind === 'LABELS' ? (
        <Textarea
          withAsterisk
          autosize
          minRows={2}
          label={t('scope.LABELS')}
          placeholder={examples.labels}
          styles={{ input: { fontFamily: 'var(--bf-mono)' } }}
          value={value.labels}
          onChange={(event) => set({ labels: event.currentTarget.value })}
          error={errors.labels}
        />
      ) : null}
    </>
  );
}

/** Finds a job of any app by a part of its name; the server searches. */
function JobSelect(props: {
  value: ScopeForm['job'];
  onChange: (job: ScopeForm['job']) => void;
  error: string | undefined;
}) {
  const { t } = useTranslation('alerts');
  const [typed, setTyped] = useState('');
  const search = usePaused(typed === props.value?.label ? '' : typed.trim());
  const [result] = useQuery({ query: ScopeJobsQuery, variables: { search: search || null } });
  const found = (result.data?.jobs.nodes ?? []).map((job) => ({
    value: job.id,
    label: `${job.app.name} / ${job.name}`,
  }));
  const { value } = props;
  const chosen = value && !found.some((option) => option.value === value.id);
  return (
    <Select
      searchable
      withAsterisk
      label={t('scope.JOB')}
      value={value?.id ?? null}
      data={chosen ? [{ value: value.id, label: value.label }, ...found] : found}
      filter={({ options }) => options}
      onSearchChange={setTyped}
      nothingFoundMessage={t(result.fetching ? 'scope.searching' : 'scope.noJob')}
      onChange={(id) => {
        const job = found.find((option) => option.value === id);
        if (job) props.onChange({ id: job.value, label: job.label });
      }}
      error={props.error}
    />
  );
}

/** A text a moment after it was last changed, so that not every letter asks the server. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), 200);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
