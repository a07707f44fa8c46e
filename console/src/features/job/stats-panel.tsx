import { useTranslation } from 'react-i18next';
import { DurationText } from '@/components/ui/duration-text';
import { Icon, type IconName } from '@/components/ui/icon';
import { Panel } from '@/components/ui/page';
import type { JobDetailFragment } from '@/graphql/generated/graphql';
import classes from './job.module.css';

const outcomes = [
  { key: 'succeeded', tone: 'ok', icon: 'check' },
  { key: 'failed', tone: 'fail', icon: 'failed' },
  { key: 'retried', tone: 'retry', icon: 'retrying' },
  { key: 'cancelled', tone: 'stop', icon: 'cancelled' },
  { key: 'skipped', tone: 'wait', icon: 'skipped' },
  { key: 'missed', tone: 'retry', icon: 'warning' },
  { key: 'excluded', tone: 'wait', icon: 'calendar' },
  { key: 'late', tone: 'retry', icon: 'timedOut' },
] as const satisfies readonly { key: string; tone: string; icon: IconName }[];

/** How the job fared in the last 24 hours. */
export function StatsPanel({ stats }: { stats: JobDetailFragment['stats'] }) {
  const { t, i18n } = useTranslation('job');
  const format = new Intl.NumberFormat(i18n.language);
  return (
    <Panel title={t('stats.title')}>
      <dl className={classes.numbers}>
        {outcomes.map(({ key, tone, icon }) => (
          <div key={key} data-tone={tone}>
            <dt>
              <Icon name={icon} size={14} />
              {t(`stats.${key}`)}
            </dt>
            <dd>{format.format(Number(stats[key]))}</dd>
          </div>
        ))}
        <div>
          <dt>{t('stats.meanDuration')}</dt>
          <dd>
            <DurationText value={stats.meanDuration} />
          </dd>
        </div>
        <div>
          <dt>{t('stats.meanDelay')}</dt>
          <dd>
            <DurationText value={stats.meanDelay} />
          </dd>
        </div>
      </dl>
      <details className={classes.meanings}>
        <summary>{t('stats.meanings')}</summary>
        <dl>
          {outcomes.map(({ key }) => (
            <div key={key}>
              <dt>{t(`stats.${key}`)}</dt>
              <dd>{t(`stats.means.${key}`)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Panel>
  );
}
