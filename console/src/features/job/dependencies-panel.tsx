import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Panel } from '@/components/ui/page';
import type { JobDetailFragment } from '@/graphql/generated/graphql';
import classes from './deps.module.css';

/** Which jobs it runs after, and which run after it. Not shown for a job that stands alone. */
export function DependenciesPanel({ job }: { job: JobDetailFragment }) {
  const { t } = useTranslation('job');
  const { upstream, mode, window } = job.trigger;
  const above = upstream ?? [];
  if (above.length === 0 && job.downstream.length === 0) return null;
  return (
    <Panel title={t('deps.title')}>
      {above.length > 0 ? (
        <div className={classes.part}>
          <h3>
            {t('deps.after')}
            {mode && above.length > 1 ? `: ${t(`deps.mode.${mode}`)}` : null}
          </h3>
          <ul>
            {above.map(({ job: up, on }) => (
              <li key={up.id}>
                <Link to="/jobs/$jobId" params={{ jobId: up.id }}>
                  {up.name}
                </Link>
                <span className={classes.quiet}>{t(`deps.on.${on}`)}</span>
              </li>
            ))}
          </ul>
          {window ? (
            <p className={classes.quiet}>
              {t('deps.window')}: {t(`deps.windows.${window}`)}
              {window === 'RUN' || !job.trigger.zone ? null : ` (${job.trigger.zone})`}
            </p>
          ) : null}
        </div>
      ) : null}
      {job.downstream.length > 0 ? (
        <div className={classes.part}>
          <h3>{t('deps.before')}</h3>
          <ul>
            {job.downstream.map((down) => (
              <li key={down.id}>
                <Link to="/jobs/$jobId" params={{ jobId: down.id }}>
                  {down.name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </Panel>
  );
}
