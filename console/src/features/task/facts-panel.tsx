import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DurationText, ElapsedText } from '@/components/ui/duration-text';
import { Fact, Facts } from '@/components/ui/facts';
import { Panel } from '@/components/ui/page';
import { TimeText } from '@/components/ui/time-text';
import type { TaskDetailFragment } from '@/graphql/generated/graphql';
import { toGoDuration } from '@/time/duration';

/** How long one instant lies after another, as the server writes lengths; null unless both are known. */
function between(from: string | null | undefined, to: string | null | undefined): string | null {
  if (!from || !to) return null;
  return toGoDuration(Math.max(0, Date.parse(to) - Date.parse(from)));
}

/** Names and instants of a task. */
export function FactsPanel({ task }: { task: TaskDetailFragment }) {
  const { t } = useTranslation('task');
  const { t: ts } = useTranslation('states');
  const zone = task.job.trigger.zone;
  const last = task.attempts.at(-1);
  return (
    <Panel title={t('facts')}>
      <Facts>
        <Fact label={t('scheduled')}>
          <TimeText at={task.scheduledAt} jobZone={zone} format="full" />
        </Fact>
        <Fact label={t('started')}>
          <TimeText at={task.startedAt} jobZone={zone} format="full" />
        </Fact>
        <Fact label={t('finished')}>
          <TimeText at={task.finishedAt} jobZone={zone} format="full" />
        </Fact>
        <Fact label={t('created')}>
          <TimeText at={task.createdAt} jobZone={zone} format="full" />
        </Fact>
        <Fact label={t('duration')}>
          {task.state === 'RUNNING' && task.startedAt ? (
            <ElapsedText since={task.startedAt} />
          ) : (
            <DurationText value={task.duration} />
          )}
        </Fact>
        <Fact label={t('delay')}>
          <DurationText value={between(last?.availableAt, last?.startedAt)} />
        </Fact>
        {task.deadlineAt ? (
          <Fact label={t('limit')}>
            <TimeText at={task.deadlineAt} jobZone={zone} format="full" />
          </Fact>
        ) : null}
        {task.node ? (
          <Fact label={t('node')}>
            <Link to="/tasks" search={{ node: task.node.id }}>
              {task.node.name}
            </Link>
          </Fact>
        ) : null}
        <Fact label={t('trigger')}>{ts(`trigger.${task.trigger}`)}</Fact>
        <Fact label={t('priority')}>{ts(`priority.${task.priority}`)}</Fact>
        <Fact label={t('tries')}>
          {task.attempt} / {task.maxAttempts}
        </Fact>
        <Fact label={t('group')}>
          <Link to="/nodes" search={{ group: task.group.id }}>
            {task.group.app.name} / {task.group.name}
          </Link>
        </Fact>
        {task.reason ? <Fact label={t('reason')}>{task.reason}</Fact> : null}
        {task.uniqueKey ? <Fact label={t('uniqueKey')}>{task.uniqueKey}</Fact> : null}
        {task.rootTask && task.rootTask.id !== task.id ? (
          <Fact label={t('root')}>
            <Link to="/tasks/$taskId" params={{ taskId: task.rootTask.id }}>
              {task.rootTask.job.name}
            </Link>
          </Fact>
        ) : null}
        {task.backfill ? (
          <Fact label={t('backfill')}>
            <Link to="/backfills/$backfillId" params={{ backfillId: task.backfill.id }}>
              {t('toBackfill')}
            </Link>
          </Fact>
        ) : null}
        {task.shard === null ? null : (
          <Fact label={t('shard')}>
            {task.shard + 1} / {task.shards}
          </Fact>
        )}
        {task.parent ? (
          <Fact label={t('parent')}>
            <Link to="/tasks/$taskId" params={{ taskId: task.parent.id }}>
              {task.parent.id}
            </Link>
          </Fact>
        ) : null}
      </Facts>
    </Panel>
  );
}
