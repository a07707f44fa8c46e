import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { Page, Panel } from '@/components/ui/page';
import { EmptyState, ErrorState, Notice, SkeletonLines } from '@/components/ui/states';
import { describeError } from '@/graphql/error';
import type { EditableJobFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useCan } from '@/session/context';
import { useRoleReason } from '@/session/role';
import { EditorForm } from './editor-form';
import { formOf } from './form';
import { updateInput } from './input';
import { EditableJobQuery, UpdateJob } from './queries';

/** Changes a job. */
export function EditJobPage({ id }: { id: string }) {
  const { t } = useTranslation('editor');
  const { t: tj } = useTranslation('job');
  const allowed = useCan('DEVELOPER');
  const reason = useRoleReason('DEVELOPER');
  const [result, again] = useQuery({
    query: EditableJobQuery,
    variables: { id },
    requestPolicy: 'network-only',
  });
  const job = result.data?.job;
  return (
    <Page
      title={job ? t('editTitle', { name: job.name }) : t('editTitleWaiting')}
      crumbs={
        <>
          <Link to="/jobs">{tj('jobs')}</Link> /{' '}
          <Link to="/jobs/$jobId" params={{ jobId: id }}>
            {job?.name ?? tj('title')}
          </Link>
        </>
      }
    >
      {!allowed ? (
        <EmptyState icon="key" title={t('forbidden')}>
          {reason}
        </EmptyState>
      ) : job ? (
        <Based latest={job} onReload={() => again({ requestPolicy: 'network-only' })} />
      ) : result.error ? (
        <ErrorState error={describeError(result.error)} onRetry={() => again()} />
      ) : result.fetching ? (
        <Panel>
          <SkeletonLines lines={10} height={20} />
        </Panel>
      ) : (
        <EmptyState icon="search" title={tj('notFound.title')}>
          {tj('notFound.text')}
        </EmptyState>
      )}
    </Page>
  );
}

// The form stays based on the version it was opened with, also when the cache learns of a newer one.
function Based({ latest, onReload }: { latest: EditableJobFragment; onReload: () => void }) {
  const { t } = useTranslation('editor');
  const [base, setBase] = useState(latest);
  const isOld = latest.version > base.version;
  return (
    <>
      {isOld ? (
        <Notice tone="retry">
          {t('newer', { version: latest.version })}{' '}
          <Button
            variant="subtle"
            onClick={() => {
              setBase(latest);
              onReload();
            }}
          >
            {t('loadNewer')}
          </Button>
        </Notice>
      ) : null}
      <Changer key={base.version} job={base} />
    </>
  );
}

function Changer({ job }: { job: EditableJobFragment }) {
  const { t } = useTranslation('editor');
  const { t: tc } = useTranslation();
  const navigate = useNavigate();
  const [initial] = useState(() => formOf(job));
  const action = useMutationAction(UpdateJob, {
    pick: (data) => data.updateJob,
    success: () => t('changed', { name: job.name }),
    refusals: 'form',
  });
  const leave = (ignoreBlocker: boolean) =>
    void navigate({ to: '/jobs/$jobId', params: { jobId: job.id }, ignoreBlocker });
  return (
    <EditorForm
      initial={initial}
      jobId={job.id}
      appId={job.app.id}
      submitLabel={tc('actions.save')}
      busy={action.busy}
      refusals={action.userErrors}
      onSubmit={async (form) => {
        const { payload } = await action.run({ input: updateInput(job, form) });
        return payload !== null;
      }}
      onSaved={() => leave(true)}
      onCancel={() => leave(false)}
    />
  );
}
