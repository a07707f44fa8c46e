import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '@/components/ui/data-table';
import { Icon } from '@/components/ui/icon';
import { MoreRows, useFirstRows } from '@/components/ui/more-rows';
import { NodeStateBadge } from '@/components/ui/state-badge';
import { TimeText } from '@/components/ui/time-text';
import type { NodeRowFragment } from '@/graphql/generated/graphql';
import { NodeActions } from './node-actions';
import { Labels, NodeNote } from './node-words';
import classes from './nodes.module.css';
import { SlotBar } from './slot-bar';

/** The nodes of a group. */
export function NodesTable({
  nodes,
  label,
  onOpen,
  lostAfter,
}: {
  nodes: readonly NodeRowFragment[] | undefined;
  label: string;
  /** Opens a node's window. */
  onOpen: (id: string) => void;
  /** Silence after which a node counts as lost. */
  lostAfter: string;
}) {
  // What is about to be lost must not be below what is well.
  const sorted = useMemo(
    () => nodes?.toSorted((a, b) => Number(b.state === 'SUSPECT') - Number(a.state === 'SUSPECT')),
    [nodes],
  );
  const first = useFirstRows(sorted, 25);
  return (
    <>
      <DataTable
        label={label}
        columns={useColumns(onOpen, lostAfter)}
        rows={first.shown}
        rowKey={(node) => node.id}
        skeletonRows={2}
        empty={null}
      />
      <MoreRows {...first} />
    </>
  );
}

function useColumns(onShow: (id: string) => void, lostAfter: string): Column<NodeRowFragment>[] {
  const { t } = useTranslation('nodes');
  return [
    {
      id: 'name',
      header: t('name'),
      title: true,
      cell: (node) => (
        <>
          <button type="button" className={classes.name} onClick={() => onShow(node.id)}>
            {node.name}
          </button>
          <Labels labels={node.labels} />
          <NodeNote node={node} lostAfter={lostAfter} />
          {node.stuck > 0 && node.state !== 'OFFLINE' ? (
            <button type="button" className={classes.stuck} onClick={() => onShow(node.id)}>
              <Icon name="warning" size={12} />
              {t('stuck.count', { count: node.stuck })}
            </button>
          ) : null}
        </>
      ),
    },
    {
      id: 'state',
      header: t('state'),
      width: '120px',
      cell: (node) => <NodeStateBadge state={node.state} />,
    },
    {
      id: 'slots',
      header: t('slots'),
      width: '170px',
      cell: (node) => (
        <SlotBar running={node.running} slots={node.slots} lingering={node.lingering} />
      ),
    },
    {
      id: 'seen',
      header: t('lastSeen'),
      width: '140px',
      cell: (node) => <TimeText at={node.lastSeenAt} />,
    },
    {
      id: 'host',
      header: t('host'),
      cell: (node) => (
        <span className={classes.host}>
          {node.host}
          <span className={classes.quiet}> {node.sdk}</span>
        </span>
      ),
    },
    {
      id: 'actions',
      header: t('actions'),
      width: '150px',
      align: 'end',
      bare: true,
      cell: (node) => <NodeActions node={node} />,
    },
  ];
}
