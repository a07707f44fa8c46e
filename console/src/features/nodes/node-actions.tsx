import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import type { NodeRowFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { DrainNode, RemoveNode, ResumeNode } from './queries';

/** What can be done with a node now: drain it, take that back, or forget it once it is offline. */
export function NodeActions({ node }: { node: NodeRowFragment }) {
  const { t } = useTranslation('nodes');
  const [asking, setAsking] = useState(false);
  const drain = useMutationAction(DrainNode, {
    pick: (d) => d.drainNode,
    success: () => t('drained', { name: node.name }),
  });
  const resume = useMutationAction(ResumeNode, {
    pick: (d) => d.resumeNode,
    success: () => t('resumed', { name: node.name }),
  });
  const remove = useMutationAction(RemoveNode, {
    pick: (d) => d.removeNode,
    success: () => t('removed', { name: node.name }),
    refusals: 'form',
  });
  if (node.state === 'OFFLINE') {
    const run = async () => {
      const { payload } = await remove.run({ id: node.id });
      if (payload) setAsking(false);
    };
    return (
      <>
        <ActionButton atLeast="OPERATOR" onClick={() => setAsking(true)}>
          {t('remove')}
        </ActionButton>
        <ConfirmDialog
          opened={asking}
          onClose={() => setAsking(false)}
          title={t('removeTitle', { name: node.name })}
          confirm={t('remove')}
          busy={remove.busy}
          error={remove.userErrors.map((e) => e.message).join(' ') || null}
          onConfirm={() => void run()}
        >
          {t('removeText')}
        </ConfirmDialog>
      </>
    );
  }
  if (node.state === 'DRAINING') {
    return (
      <ActionButton
        atLeast="OPERATOR"
        busy={resume.busy}
        onClick={() => void resume.run({ id: node.id })}
      >
        {t('resume')}
      </ActionButton>
    );
  }
  return (
    <ActionButton
      atLeast="OPERATOR"
      busy={drain.busy}
      onClick={() => void drain.run({ id: node.id })}
    >
      {t('drain')}
    </ActionButton>
  );
}
