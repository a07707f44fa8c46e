import { Modal } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from '@/components/ui/dialog.module.css';
import { Fact, Facts } from '@/components/ui/facts';
import { JsonView } from '@/components/ui/json-view';
import { NodeStateBadge } from '@/components/ui/state-badge';
import { TimeText } from '@/components/ui/time-text';
import type { NodeRowFragment } from '@/graphql/generated/graphql';
import { NodeSlots } from './node-stuck';
import { NodeNote } from './node-words';
import own from './nodes.module.css';

/** Everything about one node. */
export function NodeDialog(props: {
  node: NodeRowFragment | undefined;
  lostAfter: string;
  onClose: () => void;
}) {
  const { t } = useTranslation('nodes');
  const { t: tc } = useTranslation();
  const node = props.node;
  return (
    <Modal
      opened={node !== undefined}
      onClose={props.onClose}
      size="lg"
      title={node ? t('nodeTitle', { name: node.name }) : ''}
      closeButtonProps={{ 'aria-label': tc('actions.close') }}
    >
      {node ? (
        <div className={classes.stack}>
          <NodeNote node={node} lostAfter={props.lostAfter} />
          <NodeSlots node={node} />
          <Facts>
            <Fact label={t('state')}>
              <NodeStateBadge state={node.state} />
            </Fact>
            <Fact label={t('slots')}>
              {t('slotsUsed', { running: node.running, slots: node.slots })}
            </Fact>
            <Fact label={t('started')}>
              <TimeText at={node.startedAt} />
            </Fact>
            <Fact label={t('lastSeen')}>
              <TimeText at={node.lastSeenAt} />
            </Fact>
            <Fact label={t('host')}>{node.host}</Fact>
            <Fact label={t('sdk')}>{node.sdk}</Fact>
            <Fact label={t('incarnation')} wide>
              <code>{node.incarnation}</code>
            </Fact>
            <Fact label={t('handlers')} wide>
              {node.handlers.length === 0 ? (
                t('noHandlers')
              ) : (
                <ul className={own.handlers}>
                  {node.handlers.map((handler) => (
                    <li key={handler}>
                      <code>{handler}</code>
                    </li>
                  ))}
                </ul>
              )}
            </Fact>
            <Fact label={t('labels')} wide>
              <JsonView value={node.labels} />
            </Fact>
          </Facts>
          <p>
            <Link to="/tasks" search={{ node: node.id, states: ['RUNNING'] }}>
              {t('itsTasks')}
            </Link>
          </p>
        </div>
      ) : null}
    </Modal>
  );
}
