import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { CodeBlock } from '@/components/ui/code-block';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Fact, Facts } from '@/components/ui/facts';
import { Panel } from '@/components/ui/page';
import { Notice } from '@/components/ui/states';
import { exampleCommand } from '@/features/apps/commands';
import { RoutingText } from '@/features/routing/routing-text';
import type { GroupCardFragment, NodeRowFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { formatGoDuration } from '@/time/duration';
import { GroupDialog } from './group-dialog';
import { GroupFlow } from './group-flow';
import classes from './nodes.module.css';
import { NodesTable } from './nodes-table';
import { DeleteNodeGroup } from './queries';

/** One node group: its load, its rules, its nodes. */
export function GroupPanel({
  group,
  nodes,
  onOpen,
}: {
  group: GroupCardFragment;
  /** Opens a node's window. */
  onOpen: (id: string) => void;
  /** Undefined while they are on their way, null when they could not be read. */
  nodes: NodeRowFragment[] | null | undefined;
}) {
  const { t, i18n } = useTranslation('nodes');
  const { t: tc } = useTranslation();
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const number = new Intl.NumberFormat(i18n.language);
  const idle = nodes?.every((node) => node.state !== 'ONLINE') ?? false;
  const limit = (value: number | null | undefined) =>
    value == null ? t('noLimit') : number.format(value);

  return (
    <Panel
      title={`${group.app.name} / ${group.name}`}
      actions={
        <div className={classes.buttons}>
          <ActionButton atLeast="DEVELOPER" icon="edit" onClick={() => setOpen('edit')}>
            {tc('actions.edit')}
          </ActionButton>
          <ActionButton
            atLeast="DEVELOPER"
            icon="trash"
            reason={group.jobCount > 0 ? t('hasJobs', { count: group.jobCount }) : null}
            onClick={() => setOpen('delete')}
          >
            {tc('actions.delete')}
          </ActionButton>
        </div>
      }
    >
      <GroupFlow group={group} />
      {idle && group.limitedBy !== 'NO_NODES' && Number(group.waiting) > 0 ? (
        <Notice tone="fail">{t('nobodyWorks', { count: Number(group.waiting) })}</Notice>
      ) : null}
      {group.warnings.length > 0 ? (
        <div className={classes.warnings}>
          {group.warnings.map((warning) => (
            <Notice key={warning} tone="retry">
              {warning}
            </Notice>
          ))}
        </div>
      ) : null}
      <Facts>
        <Fact label={t('waiting')}>
          <Link to="/tasks" search={{ group: group.id, states: ['WAITING', 'RETRYING'] }}>
            {number.format(Number(group.waiting))}
          </Link>
        </Fact>
        <Fact label={t('maxRunning')}>{limit(group.maxRunning)}</Fact>
        <Fact label={t('releaseRate')}>
          {group.releaseRate == null
            ? t('noLimit')
            : t('perSecond', {
                count: group.releaseRate,
                burst: group.releaseBurst ?? group.releaseRate,
              })}
        </Fact>
        <Fact label={t('routing')}>
          <RoutingText routing={group.routingRule} />
        </Fact>
        <Fact label={t('takeover')}>
          {t('takeoverText', { time: formatGoDuration(group.takeoverAfter) })}
        </Fact>
        <Fact label={t('jobs')}>
          <Link to="/jobs" search={{ app: group.app.id }}>
            {number.format(group.jobCount)}
          </Link>
        </Fact>
      </Facts>
      <div className={classes.nodes}>
        {nodes === null ? (
          <p className={classes.quiet}>{t('nodesUnread')}</p>
        ) : nodes?.length === 0 ? (
          <NoNodes group={group} />
        ) : (
          <NodesTable
            nodes={nodes}
            label={t('nodesOf', { group: group.name })}
            lostAfter={group.takeoverAfter}
            onOpen={onOpen}
          />
        )}
      </div>
      <GroupDialog
        opened={open === 'edit'}
        group={group}
        nodes={nodes ?? undefined}
        apps={[]}
        onClose={() => setOpen(null)}
      />
      <DeleteGroup group={group} opened={open === 'delete'} onClose={() => setOpen(null)} />
    </Panel>
  );
}

function NoNodes({ group }: { group: GroupCardFragment }) {
  const { t } = useTranslation('nodes');
  const { t: ta } = useTranslation('apps');
  return (
    <div className={classes.empty}>
      <p>{t('noNodes')}</p>
      <CodeBlock
        label={ta('key.command')}
        code={exampleCommand({
          url: window.location.origin,
          app: group.app.name,
          key: ta('keyPlaceholder'),
          group: group.name,
        })}
      />
      <p>
        <Link to="/apps/$appName" params={{ appName: group.app.name }}>
          {t('toKeys')}
        </Link>
      </p>
    </div>
  );
}

function DeleteGroup(props: { group: GroupCardFragment; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('nodes');
  const { t: tc } = useTranslation();
  const action = useMutationAction(DeleteNodeGroup, {
    pick: (d) => d.deleteNodeGroup,
    success: () => t('deleted', { name: props.group.name }),
    refusals: 'form',
  });
  const close = () => {
    action.clear();
    props.onClose();
  };
  const run = async () => {
    const { payload } = await action.run({ id: props.group.id });
    if (payload) close();
  };
  return (
    <ConfirmDialog
      opened={props.opened}
      onClose={close}
      title={t('deleteTitle', { name: props.group.name })}
      confirm={tc('actions.delete')}
      danger
      busy={action.busy}
      error={action.userErrors.map((e) => e.message).join(' ') || null}
      onConfirm={() => void run()}
    >
      {t('deleteText')}
    </ConfirmDialog>
  );
}
