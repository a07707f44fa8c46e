import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Panel } from '@/components/ui/page';
import { AttemptStateBadge } from '@/components/ui/state-badge';
import { TimeText } from '@/components/ui/time-text';
import type { IncidentDetailFragment } from '@/graphql/generated/graphql';
import { formatDuration } from '@/time/duration';
import classes from './incidents.module.css';

/** The attempts of the latest task: where each ran and what it said. */
export function AttemptsPanel({ incident }: { incident: IncidentDetailFragment }) {
  const { t } = useTranslation('alerts');
  const task = incident.lastTask;
  if (!task) return null;
  const zone = incident.job?.trigger.zone;
  return (
    <Panel
      title={t('attempts.title')}
      actions={
        <Link to="/tasks/$taskId" params={{ taskId: task.id }}>
          {t('attempts.toTask')}
        </Link>
      }
    >
      {task.attempts.length === 0 ? <p className={classes.quiet}>{t('attempts.none')}</p> : null}
      <ol className={classes.attempts}>
        {[...task.attempts]
          .sort((a, b) => b.number - a.number)
          .map((attempt) => (
            <li key={attempt.id}>
              <strong>
                {t('attempts.number', { number: attempt.number, of: task.maxAttempts })}
              </strong>
              <AttemptStateBadge state={attempt.state} />
              <span>{attempt.nodeName ?? t('attempts.noNode')}</span>
              <TimeText at={attempt.startedAt} jobZone={zone} />
              {attempt.startedAt && attempt.finishedAt ? (
                <span className={classes.quiet}>
                  {formatDuration(Date.parse(attempt.finishedAt) - Date.parse(attempt.startedAt))}
                </span>
              ) : null}
              {attempt.error ? <code>{attempt.error.split('\n', 1)[0]}</code> : null}
            </li>
          ))}
      </ol>
    </Panel>
  );
}
