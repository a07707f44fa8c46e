import { Select } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type { UpstreamJob } from '../form';
import { UpstreamOptionsQuery } from '../queries';

interface UpstreamPickerProps {
  /** Jobs that cannot be picked: those chosen, and the job itself. */
  taken: readonly string[];
  onPick: (job: Omit<UpstreamJob, 'on'>) => void;
  error?: string | undefined;
}

/** Finds a job of any app by a part of its name or handler. */
export function UpstreamPicker({ taken, onPick, error }: UpstreamPickerProps) {
  const { t } = useTranslation('editor');
  const [typed, setTyped] = useState('');
  const search = usePaused(typed.trim());
  const [result] = useQuery({ query: UpstreamOptionsQuery, variables: { search: search || null } });
  const jobs = (result.data?.jobs.nodes ?? []).filter((job) => !taken.includes(job.id));
  return (
    <Select
      label={t('dep.add')}
      description={t('dep.addHint')}
      placeholder={t('dep.search')}
      searchable
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      // The server searches: what it found is what fits.
      filter={({ options }) => options}
      nothingFoundMessage={
        result.error ? t('dep.failed') : result.fetching ? t('dep.searching') : t('dep.none')
      }
      data={jobs.map((job) => ({ value: job.id, label: `${job.app.name} / ${job.name}` }))}
      onChange={(id) => {
        const job = jobs.find((j) => j.id === id);
        if (job) onPick({ id: job.id, name: job.name, app: job.app.name });
        setTyped('');
      }}
      error={error}
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
