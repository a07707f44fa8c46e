import { useTranslation } from 'react-i18next';
import { AttemptStateBadge } from '@/components/ui/state-badge';
import { TimeText } from '@/components/ui/time-text';
import type { TaskDetailFragment } from '@/graphql/generated/graphql';
import { formatDuration } from '@/time/duration';
import classes from './attempts.module.css';
import { type Picture, spanKinds } from './geometry';

/** What the picture shows, in numbers, and each attempt's error. */
export function AttemptsTable({ task, picture }: { task: TaskDetailFragment; picture: Picture }) {
  const { t } = useTranslation('task');
  const zone = task.job.trigger.zone;
  return (
    <details className={classes.details}>
      <summary>{t('attempts.table')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard */}
      <section className={classes.tableBox} aria-label={t('attempts.table')} tabIndex={0}>
        <table className={classes.table} aria-label={t('attempts.title')}>
          <thead>
            <tr>
              <th scope="col">{t('attempts.title')}</th>
              <th scope="col">{t('attempts.state')}</th>
              <th scope="col">{t('node')}</th>
              <th scope="col">{t('started')}</th>
              {spanKinds.map((kind) => (
                <th key={kind} scope="col" data-align="end">
                  {t(`span.${kind}`)}
                </th>
              ))}
              <th scope="col">{t('attempts.error')}</th>
            </tr>
          </thead>
          <tbody>
            {task.attempts.map((attempt, i) => (
              <tr key={attempt.id}>
                <th scope="row">{attempt.number}</th>
                <td>
                  <AttemptStateBadge state={attempt.state} />
                </td>
                <td>{attempt.nodeName ?? t('attempts.noNode')}</td>
                <td>
                  <TimeText at={attempt.startedAt} jobZone={zone} />
                </td>
                {spanKinds.map((kind) => {
                  const span = picture.lanes[i]?.spans.find((each) => each.kind === kind);
                  return (
                    <td key={kind} data-align="end">
                      {span ? formatDuration(span.ms) : ''}
                    </td>
                  );
                })}
                <td className={classes.error}>{attempt.error?.split('\n', 1)[0]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
