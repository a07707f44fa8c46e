import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { Page, Panel } from '@/components/ui/page';
import { EmptyState, ErrorState, SkeletonLines } from '@/components/ui/states';
import { describeError } from '@/graphql/error';
import { useMutationAction } from '@/graphql/use-action';
import { useCan } from '@/session/context';
import { useRoleReason } from '@/session/role';
import { useTimeSettings } from '@/time/view';
import { EditorForm } from './editor-form';
import { emptyForm, formOf, type JobForm } from './form';
import { createInput } from './input';
import { CreateJob, EditableJobQuery } from './queries';

/** A new job, from nothing or as a copy of another. */
export function CreateJobPage({ from }: { from: string | null }) {
  const { t } = useTranslation('editor');
  const { t: tj } = useTranslation('job');
  const allowed = useCan('DEVELOPER');
  const reason = useRoleReason('DEVELOPER');
  return (
    <Page title={t(from ? 'copyTitle' : 'newTitle')} crumbs={<Link to="/jobs">{tj('jobs')}</Link>}>
      {!allowed ? (
        <EmptyState icon="key" title={t('forbidden')}>
          {reason}
        </EmptyState>
      ) : from ? (
        <Copy from={from} />
      ) : (
        <Blank />
      )}
    </Page>
  );
}

function Blank() {
  const { view, ownZone } = useTimeSettings();
  const [initial] = useState(() => emptyForm(view === 'browser' ? ownZone : 'UTC'));
  return <Creator initial={initial} />;
}

function Copy({ from }: { from: string }) {
  const { t } = useTranslation('editor');
  const { t: tj } = useTranslation('job');
  const [result, again] = useQuery({
    query: EditableJobQuery,
    variables: { id: from },
    requestPolicy: 'network-only',
  });
  const job = result.data?.job;
  if (job) return <Creator key={job.id} initial={formOf(job, t('copyOf', { name: job.name }))} />;
  if (result.error)
    return <ErrorState error={describeError(result.error)} onRetry={() => again()} />;
  if (!result.fetching) return <EmptyState icon="search" title={tj('notFound.title')} />;
  return (
    <Panel>
      <SkeletonLines lines={10} height={20} />
    </Panel>
  );
}

function Creator({ initial }: { initial: JobForm }) {
  const { t } = useTranslation('editor');
  const navigate = useNavigate();
  const [created, setCreated] = useState<string | null>(null);
  const action = useMutationAction(CreateJob, {
    pick: (data) => data.createJob,
    success: (payload) => t('created', { name: payload.job?.name }),
    refusals: 'form',
  });
  return (
    <EditorForm
      initial={initial}
      jobId={null}
      appId={null}
      submitLabel={t('create')}
      busy={action.busy || created !== null}
      refusals={action.userErrors}
      onSubmit={async (form) => {
        const { payload } = await action.run({ input: createInput(form) });
        if (!payload?.job) return false;
        setCreated(payload.job.id);
        void navigate({
          to: '/jobs/$jobId',
          params: { jobId: payload.job.id },
          ignoreBlocker: true,
        });
        return true;
      }}
      onSaved={() => undefined}
      onCancel={() => void navigate({ to: '/jobs' })}
    />
  );
}
