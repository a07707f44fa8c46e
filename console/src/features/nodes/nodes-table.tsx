import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '@/components/ui/data-table';
import { MoreRows, useFirstRows } from '@/components/ui/more-rows';
import { NodeStateBadge } from '@/components/ui/state-badge';
import { TimeText } from '@/components/ui/time-text';
import type { NodeRowFragment } from '@/graphql/generated/graphql';
import { NodeActions } from './node-actions';
import { NodeDialog } from './node-dialog';
import { Labels, NodeNote } from './node-words';
import classes from './nodes.module.css';

/** The nodes of a group. */
export function NodesTable({
  nodes,
  label,
  lostAfter,
}: {
  nodes: readonly NodeRowFragment[] | undefined;
  label: string;
  /** Silence after which a node counts as lost. */
  lostAfter: string;
}) {
  const [shown, setShown] = useState<string | null>(null);
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
        columns={useColumns(setShown, lostAfter)}
        rows={first.shown}
        rowKey={(node) => node.id}
        skeletonRows={2}
        empty={null}
      />
      <MoreRows {...first} />
      <NodeDialog
        node={nodes?.find((node) => node.id === shown)}
        lostAfter={lostAfter}
        onClose={() => setShown(null)}
      />
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
      cell: (node) => <SlotBar running={node.running} slots={node.slots} />,
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

/** Used slots of a node as a bar with its numbers. */
function SlotBar({ running, slots }: { running: number; slots: number }) {
  const { t } = useTranslation('nodes');
  const share = slots > 0 ? Math.min(100, (100 * running) / slots) : 0;
  return (
    <span className={classes.slots}>
      <span className={classes.track} aria-hidden="true">
        <span className={classes.fill} style={{ width: `${share}%` }} />
      </span>
      {t('slotsUsed', { running, slots })}
    </span>
  );
}
