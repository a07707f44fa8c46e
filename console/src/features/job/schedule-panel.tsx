import { useTranslation } from 'react-i18next';
import { DurationText } from '@/components/ui/duration-text';
import { Fact, Facts } from '@/components/ui/facts';
import { Panel } from '@/components/ui/page';
import { TimeText } from '@/components/ui/time-text';
import type { JobDetailFragment } from '@/graphql/generated/graphql';
import classes from './job.module.css';

/** When the job fires: in words, as written, and the next instants. */
export function SchedulePanel({ job }: { job: JobDetailFragment }) {
  const { t } = useTranslation('job');
  const { trigger } = job;
  return (
    <Panel title={t('schedule.title')}>
      <p className={classes.words}>{trigger.description}</p>
      {trigger.expression ? (
        <div className={classes.expression}>
          <code>{trigger.expression}</code>
          {trigger.resolved &&
          trigger.expression.includes('H') &&
          trigger.resolved !== trigger.expression ? (
            <span>{t('schedule.resolved', { expression: trigger.resolved })}</span>
          ) : null}
          {trigger.dialect === 'unix' || trigger.dialect === 'quartz' ? (
            <span>{t(`dialect.${trigger.dialect}`)}</span>
          ) : null}
          <span>{trigger.zone}</span>
        </div>
      ) : null}
      <Bounds trigger={trigger} />
      <NextFires job={job} />
    </Panel>
  );
}

function Bounds({ trigger }: { trigger: JobDetailFragment['trigger'] }) {
  const { t } = useTranslation('job');
  const jitter = trigger.jitter && trigger.jitter !== '0s' ? trigger.jitter : null;
  if (!trigger.startAt && !trigger.endAt && !jitter) return null;
  return (
    <div style={{ marginTop: 12 }}>
      <Facts>
        {trigger.startAt ? (
          <Fact label={t('schedule.startAt')}>
            <TimeText at={trigger.startAt} jobZone={trigger.zone} format="full" />
          </Fact>
        ) : null}
        {trigger.endAt ? (
          <Fact label={t('schedule.endAt')}>
            <TimeText at={trigger.endAt} jobZone={trigger.zone} format="full" />
          </Fact>
        ) : null}
        {jitter ? (
          <Fact label={t('schedule.jitter')}>
            <DurationText value={jitter} />
          </Fact>
        ) : null}
      </Facts>
    </div>
  );
}

function NextFires({ job }: { job: JobDetailFragment }) {
  const { t } = useTranslation('job');
  if (job.trigger.kind === 'MANUAL' || job.deletedAt) return null;
  return (
    <div className={classes.fires}>
      <h3>{t('schedule.next')}</h3>
      {job.nextFires.length === 0 || !job.enabled ? (
        <p className={classes.quiet}>{t(job.enabled ? 'schedule.noNext' : 'schedule.paused')}</p>
      ) : (
        <ol>
          {job.nextFires.map((at) => (
            <li key={at}>
              <TimeText at={at} jobZone={job.trigger.zone} format="both" />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
