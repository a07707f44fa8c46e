import { useTranslation } from 'react-i18next';
import { AttemptStateBadge } from '@/components/ui/state-badge';
import { TimeText } from '@/components/ui/time-text';
import type { TaskDetailFragment } from '@/graphql/generated/graphql';
import { formatDuration } from '@/time/duration';
import { useNow } from '@/time/now';
import classes from './attempts.module.css';
import { AttemptsTable } from './attempts-table';
import { type Lane, layOut, type Picture, spanKinds } from './geometry';

/** The attempts as lanes on one scale of time, with a legend and, for the numbers, a table. */
export function AttemptsPicture({ task }: { task: TaskDetailFragment }) {
  const { t } = useTranslation('task');
  const now = useNow(1).getTime();
  if (task.attempts.length === 0) {
    const rest = Date.parse(task.availableAt) - now;
    return (
      <p className={classes.none}>
        {task.finishedAt === null && rest > 0
          ? t('attempts.noneUntil', { time: formatDuration(rest) })
          : t('attempts.none')}
      </p>
    );
  }
  const picture = layOut(task.attempts, task.deadlineAt, now);
  const zone = task.job.trigger.zone;
  const length = formatDuration(picture.to - picture.from);
  return (
    <div className={classes.picture}>
      <div
        className={classes.scroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: with many attempts it scrolls, by keyboard too
        tabIndex={0}
        role="img"
        aria-label={t('attempts.picture', { count: task.attempts.length, time: length })}
      >
        <ol className={classes.lanes}>
          {picture.lanes.map((lane, i) => (
            <LaneRow
              key={lane.number}
              lane={lane}
              node={task.attempts[i]?.nodeName ?? null}
              picture={picture}
              last={i === picture.lanes.length - 1}
            />
          ))}
        </ol>
        <Scale picture={picture} />
      </div>
      <div className={classes.foot}>
        <Legend picture={picture} deadlineAt={task.deadlineAt} now={now} />
        <span className={classes.bounds}>
          <TimeText at={new Date(picture.from).toISOString()} jobZone={zone} />
          {' – '}
          <TimeText at={new Date(picture.to).toISOString()} jobZone={zone} />
        </span>
      </div>
      <AttemptsTable task={task} picture={picture} />
    </div>
  );
}

function LaneRow(props: { lane: Lane; node: string | null; picture: Picture; last: boolean }) {
  const { t } = useTranslation('task');
  const { lane, picture } = props;
  return (
    <li className={classes.lane}>
      <span className={classes.name}>
        <span className={classes.number} title={t('attempts.number', { number: lane.number })}>
          {lane.number}
        </span>
        <AttemptStateBadge state={lane.state} />
        <span className={classes.node} title={props.node ?? undefined}>
          {props.node ?? t('attempts.noNode')}
        </span>
      </span>
      <span className={classes.track}>
        {picture.ticks.map((tick) => (
          <span key={tick.ms} className={classes.grid} style={{ left: `${tick.at}%` }} />
        ))}
        {lane.spans.map((span) => (
          <span
            key={span.kind}
            className={classes.span}
            data-kind={span.kind}
            data-state={lane.state}
            title={`${t(`span.${span.kind}`)}: ${formatDuration(span.ms)}`}
            // At the right edge a mark of the least width must not stick out.
            style={{
              left: `min(${span.left}%, calc(100% - 3px))`,
              width: `max(3px, ${span.width}%)`,
            }}
          />
        ))}
        {picture.now === null ? null : (
          <span className={classes.now} style={{ left: `${picture.now}%` }} />
        )}
        {picture.deadline === null || !props.last ? null : (
          <span
            className={classes.deadline}
            title={t('attempts.deadline')}
            style={{ left: `${picture.deadline}%` }}
          />
        )}
      </span>
    </li>
  );
}

function Scale({ picture }: { picture: Picture }) {
  return (
    <div className={classes.scale}>
      <span className={classes.ticks}>
        {picture.ticks.map((tick) => (
          <span
            key={tick.ms}
            className={classes.tick}
            data-edge={tick.at === 0 ? 'start' : tick.at > 92 ? 'end' : undefined}
            style={{ left: `${tick.at}%` }}
          >
            {tick.ms === 0 ? '0' : formatDuration(tick.ms)}
          </span>
        ))}
      </span>
    </div>
  );
}

function Legend(props: { picture: Picture; deadlineAt: string | null; now: number }) {
  const { t } = useTranslation('task');
  const { picture } = props;
  const used = new Set(picture.lanes.flatMap((lane) => lane.spans.map((span) => span.kind)));
  const rest = props.deadlineAt === null ? null : Date.parse(props.deadlineAt) - props.now;
  return (
    <ul className={classes.legend}>
      {spanKinds
        .filter((kind) => used.has(kind))
        .map((kind) => (
          <li key={kind}>
            <span className={classes.sample} data-kind={kind} />
            {t(`span.${kind}`)}
          </li>
        ))}
      {picture.now === null ? null : (
        <li>
          <span className={classes.sample} data-kind="now" />
          {t('attempts.now')}
        </li>
      )}
      {rest === null || picture.now === null ? null : (
        <li>
          <span className={classes.sample} data-kind="deadline" />
          {rest >= 0
            ? t('attempts.deadlineIn', { time: formatDuration(Math.round(rest / 1_000) * 1_000) })
            : t('attempts.deadlinePast', { time: formatDuration(-rest) })}
        </li>
      )}
    </ul>
  );
}
