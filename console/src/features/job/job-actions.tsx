import { ActionIcon, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Icon } from '@/components/ui/icon';
import { BackfillDialog } from '@/features/backfill/backfill-dialog';
import { TriggerDialog } from '@/features/jobs/trigger-dialog';
import { usePauseResume } from '@/features/jobs/use-pause-resume';
import type { JobDetailFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { RoleGuard } from '@/session/role';
import { DeleteJob } from './queries';

/** Everything one can do with a job. */
export function JobActions({ job }: { job: JobDetailFragment }) {
  const { t } = useTranslation('job');
  const { t: tc } = useTranslation();
  const { t: tb } = useTranslation('backfill');
  const navigate = useNavigate();
  const [running, setRunning] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const [filling, setFilling] = useState(false);
  const scheduled = job.trigger.kind === 'CRON' || job.trigger.kind === 'FIXED_RATE';
  const toggle = usePauseResume();
  return (
    <>
      <ActionButton atLeast="OPERATOR" primary icon="play" onClick={() => setRunning(true)}>
        {t('actions.run')}
      </ActionButton>
      <ActionButton
        atLeast="OPERATOR"
        icon={job.enabled ? 'pause' : 'retrying'}
        busy={toggle.busy}
        onClick={() => void toggle.run(job)}
      >
        {tc(job.enabled ? 'actions.pause' : 'actions.resume')}
      </ActionButton>
      <ActionButton
        atLeast="OPERATOR"
        icon="backfill"
        reason={scheduled ? null : tb('notScheduled')}
        onClick={() => setFilling(true)}
      >
        {tb('action')}
      </ActionButton>
      <RoleGuard atLeast="DEVELOPER">
        <ActionButton
          atLeast="DEVELOPER"
          icon="edit"
          onClick={() => void navigate({ to: '/jobs/$jobId/edit', params: { jobId: job.id } })}
        >
          {tc('actions.edit')}
        </ActionButton>
        <Menu withinPortal={false}>
          <Menu.Target>
            <ActionIcon variant="default" size={30} aria-label={tc('actions.more')}>
              <Icon name="dots" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<Icon name="copy" size={14} />}
              onClick={() => void navigate({ to: '/jobs/new', search: { from: job.id } })}
            >
              {tc('actions.duplicate')}
            </Menu.Item>
            <Menu.Item
              color="var(--bf-fail)"
              leftSection={<Icon name="trash" size={14} />}
              onClick={() => setDeleting(true)}
            >
              {tc('actions.delete')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </RoleGuard>
      <TriggerDialog job={running ? job : null} onClose={() => setRunning(false)} />
      <BackfillDialog job={job} opened={filling} onClose={() => setFilling(false)} />
      <DeleteDialog job={job} opened={deleting} onClose={() => setDeleting(false)} />
    </>
  );
}

function DeleteDialog(props: { job: JobDetailFragment; opened: boolean; onClose: () => void }) {
  const { job } = props;
  const { t } = useTranslation('job');
  const { t: tc } = useTranslation();
  const navigate = useNavigate();
  const action = useMutationAction(DeleteJob, {
    pick: (data) => data.deleteJob,
    success: () => t('delete.done', { name: job.name }),
    refusals: 'form',
  });
  const remove = async () => {
    const { payload } = await action.run({ id: job.id });
    if (payload) await navigate({ to: '/jobs' });
  };
  return (
    <ConfirmDialog
      opened={props.opened}
      onClose={() => {
        action.clear();
        props.onClose();
      }}
      title={t('delete.title', { name: job.name })}
      confirm={tc('actions.delete')}
      danger
      typeToConfirm={{ label: t('delete.type', { name: job.name }), text: job.name }}
      busy={action.busy}
      error={action.userErrors.map((e) => e.message).join(' ') || null}
      onConfirm={() => void remove()}
    >
      <p>{t('delete.text')}</p>
    </ConfirmDialog>
  );
}
