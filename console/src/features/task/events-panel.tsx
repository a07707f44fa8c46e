import { useTranslation } from 'react-i18next';
import { Panel } from '@/components/ui/page';
import { TimeText } from '@/components/ui/time-text';
import type { TaskDetailFragment } from '@/graphql/generated/graphql';
import classes from './task.module.css';

/** Everything that happened to the task, in order. */
export function EventsPanel({ task }: { task: TaskDetailFragment }) {
  const { t } = useTranslation('task');
  return (
    <Panel title={t('events')}>
      {task.timeline.length === 0 ? <p className={classes.quiet}>{t('noEvents')}</p> : null}
      <ol className={classes.events}>
        {task.timeline.map((event, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two events may be alike, and they only grow at the end
          <li key={i}>
            <span className={classes.when}>
              <TimeText at={event.at} jobZone={task.job.trigger.zone} />
            </span>
            <span className={classes.what}>
              <span className={classes.kind}>{t(`kind.${event.kind}`)}</span> {event.message}
              {event.actor ? <span className={classes.quiet}> {event.actor}</span> : null}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
