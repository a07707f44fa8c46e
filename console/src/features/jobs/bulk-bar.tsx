import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from 'urql';
import { ActionButton } from '@/components/ui/action-button';
import type { Selection } from '@/components/ui/selection';
import { useToast } from '@/components/ui/toast';
import { describeError } from '@/graphql/error';
import type { JobRowFragment } from '@/graphql/generated/graphql';
import classes from './jobs.module.css';
import { PauseJob, ResumeJob } from './queries';

/** Pauses or resumes the ticked jobs, one after the other, and names those that could not be. */
export function BulkBar({ jobs, selection }: { jobs: JobRowFragment[]; selection: Selection }) {
  const { t } = useTranslation('jobs');
  const { t: tc } = useTranslation();
  const client = useClient();
  const toast = useToast();
  const [done, setDone] = useState<number | null>(null);
  const chosen = jobs.filter((job) => selection.keys.includes(job.id));

  const refusal = async (id: string, enable: boolean): Promise<string | null> => {
    const result = enable
      ? await client.mutation(ResumeJob, { id }).toPromise()
      : await client.mutation(PauseJob, { id }).toPromise();
    if (result.error) return describeError(result.error).message || tc('error.network');
    const payload =
      result.data && ('resumeJob' in result.data ? result.data.resumeJob : result.data.pauseJob);
    return payload?.userErrors[0]?.message ?? null;
  };

  const run = async (enable: boolean) => {
    const targets = chosen.filter((job) => job.enabled !== enable);
    let count = 0;
    for (const job of targets) {
      setDone(count);
      const why = await refusal(job.id, enable);
      if (why) toast.fail(`${job.name}: ${why}`);
      else count += 1;
    }
    setDone(null);
    selection.clear();
    if (count > 0) toast.done(t(enable ? 'resumedMany' : 'pausedMany', { count }));
  };

  const enabled = chosen.filter((job) => job.enabled).length;
  return (
    <section className={classes.bulk} aria-label={t('bulk')}>
      <span role="status">
        {done === null
          ? tc('table.selected', { count: chosen.length })
          : t('working', { done, total: chosen.length })}
      </span>
      <ActionButton
        atLeast="OPERATOR"
        icon="pause"
        busy={done !== null}
        reason={enabled === 0 ? t('allPaused') : null}
        onClick={() => void run(false)}
      >
        {tc('actions.pause')}
      </ActionButton>
      <ActionButton
        atLeast="OPERATOR"
        icon="retrying"
        busy={done !== null}
        reason={enabled === chosen.length ? t('allActive') : null}
        onClick={() => void run(true)}
      >
        {tc('actions.resume')}
      </ActionButton>
      <Button variant="subtle" color="gray" onClick={selection.clear}>
        {tc('table.clear')}
      </Button>
    </section>
  );
}
