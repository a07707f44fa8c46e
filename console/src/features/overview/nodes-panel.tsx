import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Panel } from '@/components/ui/page';
import { NodeStateBadge } from '@/components/ui/state-badge';
import { type NodeState, nodeStateValues } from '@/graphql/generated/enums';
import type { OverviewFieldsFragment } from '@/graphql/generated/graphql';
import classes from './overview.module.css';

type Nodes = OverviewFieldsFragment['nodes'];

/** How many nodes are in which state. */
export function NodesPanel({ nodes, slots }: { nodes: Nodes; slots: number }) {
  const { t, i18n } = useTranslation('overview');
  const number = new Intl.NumberFormat(i18n.language);
  const count: Record<NodeState, number> = {
    ONLINE: nodes.online,
    SUSPECT: nodes.suspect,
    OFFLINE: nodes.offline,
    DRAINING: nodes.draining,
  };
  const all = nodes.online + nodes.suspect + nodes.offline + nodes.draining;
  return (
    <Panel
      title={t('nodes.title')}
      actions={
        <Link to="/nodes" className={classes.more}>
          {t('nodes.all')}
        </Link>
      }
    >
      {all === 0 ? (
        <p className={classes.quiet}>{t('nodes.none')}</p>
      ) : (
        <dl className={classes.nodes}>
          {nodeStateValues
            .filter((state) => state === 'ONLINE' || count[state] > 0)
            .map((state) => (
              <div key={state}>
                <dt>
                  <NodeStateBadge state={state} />
                </dt>
                <dd>{number.format(count[state])}</dd>
              </div>
            ))}
          <div>
            <dt>{t('nodes.slots')}</dt>
            <dd>{number.format(slots)}</dd>
          </div>
        </dl>
      )}
    </Panel>
  );
}
