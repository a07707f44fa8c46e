import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { DataTable } from '@/components/ui/data-table';
import { Panel } from '@/components/ui/page';
import { ErrorState } from '@/components/ui/states';
import { everything } from '@/features/alerts/scope';
import { SilenceDialog } from '@/features/silences/silence-dialog';
import { scopeOfIncident } from '@/features/silences/silence-form';
import type { IncidentRowFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useLive, useThrottled } from '@/live/hooks';
import { useIncidentColumns } from './columns';
import { DeedDialog, type Doing } from './deed-dialog';
import classes from './incidents.module.css';
import { IncidentListChanged, IncidentsQuery } from './queries';

interface JobIncidentsPanelProps {
  job: { id: string; name: string; app: { name: string } };
}

/** At most so many are shown here; the list of all is a link away. */
const most = 5;

/** A job's open incidents, live, and the ways to be told of its problems or to be left alone. */
export function JobIncidentsPanel({ job }: JobIncidentsPanelProps) {
  const { t } = useTranslation('alerts');
  const navigate = useNavigate();
  const states = ['OPEN', 'ACKNOWLEDGED'] as const;
  const read = useRead({
    query: IncidentsQuery,
    variables: { first: most, after: null, filter: { job: job.id, states: [...states] } },
  });
  const reread = useThrottled(read.refetch, 2_000);
  useLive({
    query: IncidentListChanged,
    variables: { filter: { job: job.id } },
    onEvent: () => reread(),
  });
  const [doing, setDoing] = useState<Doing | null>(null);
  const [silencing, setSilencing] = useState<IncidentRowFragment | 'job' | null>(null);
  const columns = useIncidentColumns({ onDo: setDoing, onSilence: setSilencing }).filter(
    ({ id }) => id !== 'subject',
  );
  const rows = read.data?.incidents.nodes;
  const own = {
    ...everything,
    kind: 'JOB' as const,
    job: { id: job.id, label: `${job.app.name} / ${job.name}` },
  };
  return (
    <Panel
      flush
      title={t('job.title')}
      actions={
        <span className={classes.panelActions}>
          <ActionButton atLeast="OPERATOR" icon="silence" onClick={() => setSilencing('job')}>
            {t('deed.silence')}
          </ActionButton>
          <ActionButton
            atLeast="DEVELOPER"
            icon="alerts"
            onClick={() => void navigate({ to: '/alerts/rules/new', search: { job: job.id } })}
          >
            {t('job.alertMe')}
          </ActionButton>
        </span>
      }
    >
      {read.error && !rows ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : (
        <DataTable
          label={t('job.title')}
          columns={columns}
          rows={rows}
          rowKey={(incident) => incident.id}
          rowHref={(incident) => `/alerts/incidents/${incident.id}`}
          refreshing={read.refreshing}
          skeletonRows={1}
          empty={<p className={classes.none}>{t('job.none')}</p>}
        />
      )}
      <DeedDialog doing={doing} onClose={() => setDoing(null)} />
      <SilenceDialog
        opened={silencing !== null}
        scope={silencing === 'job' || silencing === null ? own : scopeOfIncident(silencing)}
        onClose={() => setSilencing(null)}
      />
    </Panel>
  );
}
