import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import type { ServerRowFragment } from '@/graphql/generated/graphql';
import { formatDuration } from '@/time/duration';
import classes from './servers.module.css';
import { byUrgency, type Verdict, verdictOf } from './verdict';

const tones: Record<Verdict['code'], 'ok' | 'info' | 'retry' | 'fail'> = {
  ORPHANS: 'fail',
  LOST: 'retry',
  DEGRADED: 'retry',
  LATE: 'retry',
  STOPPING: 'info',
  WELL: 'ok',
};

/** Sentences are shown for so many servers; the table has them all. */
const most = 20;

/** In one line whether all is well; below it what is not, server by server, as the servers say it. */
export function VerdictBox({ servers }: { servers: readonly ServerRowFragment[] }) {
  const { t } = useTranslation('servers');
  const verdict = verdictOf(servers);
  const tone = tones[verdict.code];
  const values =
    verdict.code === 'LATE' ? { lag: formatDuration(verdict.lag) } : { count: verdict.count };
  const troubled = byUrgency(servers.filter((server) => server.degraded.length > 0));
  return (
    <section className={classes.verdict} data-tone={tone} aria-label={t('verdict.label')}>
      <Icon name={tone === 'ok' ? 'online' : tone === 'info' ? 'info' : 'warning'} size={26} />
      <div>
        <div role="status">
          <h2>{t(`verdict.${verdict.code}.title`, values)}</h2>
          <p>{t(`verdict.${verdict.code}.text`, values)}</p>
        </div>
        {troubled.length > 0 ? (
          <ul className={classes.troubles} aria-label={t('verdict.troubles')}>
            {troubled.slice(0, most).map((server) => (
              <li key={server.id}>
                <strong>{server.name}</strong> {server.degraded.join(' ')}
              </li>
            ))}
            {troubled.length > most ? (
              <li>{t('verdict.more', { count: troubled.length - most })}</li>
            ) : null}
          </ul>
        ) : null}
      </div>
    </section>
  );
}
