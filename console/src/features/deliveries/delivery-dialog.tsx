import { Modal } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { DurationText } from '@/components/ui/duration-text';
import { Fact, Facts } from '@/components/ui/facts';
import { EmptyState, ErrorState, SkeletonLines } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import { IncidentStateBadge, SeverityBadge } from '@/features/alerts/badges';
import type { DeliveryDetailFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useRead } from '@/graphql/use-read';
import classes from './deliveries.module.css';
import { DeliveryStateBadge } from './delivery-badge';
import { DeliveryQuery, ReplayNotification } from './queries';

/** One notification: what was said, why it was (not) sent, each try and what the receiver answered. */
export function DeliveryDialog({ id, onClose }: { id: string | null; onClose: () => void }) {
  const { t } = useTranslation('deliveries');
  const { t: tc } = useTranslation();
  return (
    <Modal
      opened={id !== null}
      onClose={onClose}
      size="xl"
      title={t('one')}
      closeButtonProps={{ 'aria-label': tc('actions.close') }}
    >
      {id ? <Body id={id} /> : null}
    </Modal>
  );
}

function Body({ id }: { id: string }) {
  const { t } = useTranslation('deliveries');
  const read = useRead({ query: DeliveryQuery, variables: { id } });
  const note = read.data?.notification;
  if (note) return <Loaded note={note} />;
  if (read.error) return <ErrorState error={read.error} onRetry={read.refetch} />;
  if (read.loading || read.refreshing) return <SkeletonLines lines={8} />;
  return (
    <EmptyState icon="send" title={t('missing.title')}>
      {t('missing.text')}
    </EmptyState>
  );
}

function Loaded({ note }: { note: DeliveryDetailFragment }) {
  const { t } = useTranslation('deliveries');
  const replay = useMutationAction(ReplayNotification, {
    pick: (data) => data.replayNotification,
    success: () => t('replayed'),
  });
  const waits = note.state === 'QUEUED';
  return (
    <div className={classes.stack}>
      <div className={classes.head}>
        <DeliveryStateBadge state={note.state} />
        <SeverityBadge severity={note.severity} />
        <span>{t(`message.${note.kind}`)}</span>
        <span className={classes.replay}>
          <ActionButton
            atLeast="OPERATOR"
            icon="retrying"
            busy={replay.busy}
            reason={waits ? t('waits') : null}
            onClick={() => void replay.run({ id: note.id })}
          >
            {t('replay')}
          </ActionButton>
        </span>
      </div>
      <p className={classes.why}>{note.reason}</p>
      <Facts>
        <Fact label={t('column.channel')}>
          {note.channel ? (
            <Link to="/alerts/channels/$channelId" params={{ channelId: note.channel.id }}>
              {note.channel.name}
            </Link>
          ) : (
            t('channelGone')
          )}
        </Fact>
        {note.rule ? (
          <Fact label={t('column.rule')}>
            <Link to="/alerts/rules/$ruleId" params={{ ruleId: note.rule.id }}>
              {note.rule.name}
            </Link>
          </Fact>
        ) : null}
        <Fact label={t('column.created')}>
          <TimeText at={note.createdAt} format="full" />
        </Fact>
        {note.sentAt ? (
          <Fact label={t('sentAt')}>
            <TimeText at={note.sentAt} format="full" />
          </Fact>
        ) : null}
        {waits && note.nextAt ? (
          <Fact label={t('nextAt')}>
            <TimeText at={note.nextAt} format="both" />
          </Fact>
        ) : null}
        <Fact label={t('id')}>
          <code>{note.id}</code>
        </Fact>
      </Facts>
      <section aria-label={t('content')}>
        <h3 className={classes.sub}>{t('content')}</h3>
        {note.subject ? <p className={classes.line}>{note.subject}</p> : null}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields, this groups lines */}
        <pre className={classes.body} tabIndex={0} role="group" aria-label={t('content')}>
          {note.body || t('noContent')}
        </pre>
      </section>
      <Incidents note={note} />
      <Tries note={note} />
    </div>
  );
}

function Incidents({ note }: { note: DeliveryDetailFragment }) {
  const { t } = useTranslation('deliveries');
  if (note.incidents.length === 0) return null;
  return (
    <section aria-label={t('incidents')}>
      <h3 className={classes.sub}>{t('incidents')}</h3>
      <ul className={classes.list}>
        {note.incidents.map((incident) => (
          <li key={incident.id}>
            <IncidentStateBadge state={incident.state} />
            <Link to="/alerts/incidents/$incidentId" params={{ incidentId: incident.id }}>
              {incident.title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Tries({ note }: { note: DeliveryDetailFragment }) {
  const { t } = useTranslation('deliveries');
  return (
    <section aria-label={t('tries.title')}>
      <h3 className={classes.sub}>{t('tries.title')}</h3>
      {note.tries.length === 0 ? <p className={classes.quiet}>{t('tries.none')}</p> : null}
      <ol className={classes.list}>
        {note.tries.map((each) => (
          <li key={each.number}>
            <strong>{t('tries.number', { number: each.number })}</strong>
            <TimeText at={each.at} />
            {each.status === null ? null : (
              <span>{t('tries.status', { status: each.status })}</span>
            )}
            {each.duration ? <DurationText value={each.duration} /> : null}
            {each.nextAt ? (
              <span className={classes.quiet}>
                {t('tries.next')} <TimeText at={each.nextAt} />
              </span>
            ) : null}
            {each.error ? <span className={classes.error}>{each.error}</span> : null}
            {each.response ? <code className={classes.response}>{each.response}</code> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}
