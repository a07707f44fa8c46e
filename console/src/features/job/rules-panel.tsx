import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DurationText } from '@/components/ui/duration-text';
import { Fact, Facts } from '@/components/ui/facts';
import { JsonView } from '@/components/ui/json-view';
import { Panel } from '@/components/ui/page';
import { TimeText } from '@/components/ui/time-text';
import { RoutingText } from '@/features/routing/routing-text';
import type { JobDetailFragment } from '@/graphql/generated/graphql';
import classes from './job.module.css';

/** What runs, where, and under which rules. */
export function RulesPanel({ job }: { job: JobDetailFragment }) {
  const { t, i18n } = useTranslation('job');
  const { t: ts } = useTranslation('states');
  const number = new Intl.NumberFormat(i18n.language);
  const labels = labelEntries(job.labels);
  return (
    <Panel
      title={t('rules.title')}
      actions={
        <Link to="/jobs/$jobId/revisions" params={{ jobId: job.id }}>
          {t('rules.revisions')}
        </Link>
      }
    >
      <Facts>
        <Fact label={t('rules.handler')} wide>
          <code>{job.handler}</code>
        </Fact>
        <Fact label={t('rules.group')}>
          {job.app.name} / {job.group.name}
        </Fact>
        <Fact label={t('rules.priority')}>{ts(`priority.${job.priority}`)}</Fact>
        <Fact label={t('rules.timeout')}>
          <DurationText value={job.timeout} />
        </Fact>
        <Fact label={t('rules.maxRunning')}>
          {job.maxRunning === null ? t('rules.noLimit') : number.format(job.maxRunning)}
        </Fact>
        <Fact label={t('rules.concurrency')}>{t(`concurrency.${job.concurrency}`)}</Fact>
        <Fact label={t('rules.delivery')}>{t(`delivery.${job.delivery}`)}</Fact>
        <Fact label={t('rules.routing')} wide>
          <RoutingText routing={job.routing} />
        </Fact>
        <Fact label={t('rules.retry')} wide>
          <RetryText retry={job.retry} />
        </Fact>
        <Fact label={t('rules.misfire')} wide>
          {t(`misfire.${job.misfire.policy}`, { limit: job.misfire.limit })} · {t('rules.grace')}{' '}
          <DurationText value={job.misfire.grace} />
        </Fact>
        {labels.length > 0 ? (
          <Fact label={t('rules.labels')} wide>
            <span className={classes.labels}>
              {labels.map(([key, value]) => (
                <code key={key}>
                  {key}={value}
                </code>
              ))}
            </span>
          </Fact>
        ) : null}
        <Fact label={t('rules.created')}>
          <TimeText at={job.createdAt} jobZone={job.trigger.zone} />
        </Fact>
        <Fact label={t('rules.updated', { version: job.version })}>
          <TimeText at={job.updatedAt} jobZone={job.trigger.zone} />
        </Fact>
      </Facts>
      <h3 className={classes.sub}>{t('rules.parameters')}</h3>
      <JsonView value={job.parameters} label={t('rules.parameters')} />
    </Panel>
  );
}

function RetryText({ retry }: { retry: JobDetailFragment['retry'] }) {
  const { t } = useTranslation('job');
  if (retry.maxAttempts <= 1) return <span>{t('retry.none')}</span>;
  return (
    <span>
      {t('retry.tries', { count: retry.maxAttempts })} · {t(`retry.${retry.backoff}`)}{' '}
      <DurationText value={retry.delay} />
      {retry.backoff === 'EXPONENTIAL' ? (
        <>
          {' → '}
          <DurationText value={retry.maxDelay} />
        </>
      ) : null}
      {retry.jitter > 0 ? ` ± ${Math.round(retry.jitter * 100)} %` : null}
    </span>
  );
}

function labelEntries(labels: unknown): [string, string][] {
  if (typeof labels !== 'object' || labels === null) return [];
  return Object.entries(labels).map(([key, value]) => [key, String(value)]);
}
