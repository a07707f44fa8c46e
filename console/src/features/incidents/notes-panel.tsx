import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Panel } from '@/components/ui/page';
import { TimeText } from '@/components/ui/time-text';
import { DeliveryStateBadge } from '@/features/deliveries/delivery-badge';
import type { IncidentDetailFragment } from '@/graphql/generated/graphql';
import classes from './incidents.module.css';

/** Who was told, and who was not and why. */
export function NotesPanel({ incident }: { incident: IncidentDetailFragment }) {
  const { t } = useTranslation('alerts');
  const { t: td } = useTranslation('deliveries');
  return (
    <Panel
      title={t('notes.title')}
      actions={
        <Link to="/alerts/deliveries" search={{ incident: incident.id }}>
          {t('notes.all')}
        </Link>
      }
    >
      {incident.notifications.length === 0 ? (
        <p className={classes.quiet}>{t('notes.none')}</p>
      ) : null}
      <ul className={classes.notes}>
        {incident.notifications.map((note) => (
          <li key={note.id}>
            <span className={classes.noteHead}>
              <DeliveryStateBadge state={note.state} />
              <Link
                to="/alerts/deliveries"
                search={{ incident: incident.id, notification: note.id }}
              >
                {td(`message.${note.kind}`)}
              </Link>
              <span>{note.channel?.name ?? td('channelGone')}</span>
              <span className={classes.quiet}>
                <TimeText at={note.sentAt ?? note.createdAt} />
              </span>
            </span>
            <span className={classes.quiet}>{note.reason}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
