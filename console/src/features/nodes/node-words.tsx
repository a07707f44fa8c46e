import { useTranslation } from 'react-i18next';
import type { NodeRowFragment } from '@/graphql/generated/graphql';
import { formatGoDuration } from '@/time/duration';
import classes from './nodes.module.css';

/** What a node's state means when it is not simply online; nothing otherwise. */
export function NodeNote({ node, lostAfter }: { node: NodeRowFragment; lostAfter: string }) {
  const { t } = useTranslation('nodes');
  if (node.state === 'ONLINE') return null;
  return (
    <p className={classes.note}>
      {t(`note.${node.state}`, { count: node.running, time: formatGoDuration(lostAfter) })}
    </p>
  );
}

/** The labels that a node announced, as key=value; nothing when there are none. */
export function Labels({ labels }: { labels: unknown }) {
  const { t } = useTranslation('nodes');
  if (typeof labels !== 'object' || labels === null) return null;
  const pairs = Object.entries(labels);
  if (pairs.length === 0) return null;
  return (
    <ul className={classes.labels} aria-label={t('labels')}>
      {pairs.map(([key, value]) => (
        <li key={key}>
          {key}={typeof value === 'string' ? value : JSON.stringify(value)}
        </li>
      ))}
    </ul>
  );
}
