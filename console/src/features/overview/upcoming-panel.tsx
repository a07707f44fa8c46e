import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Panel } from '@/components/ui/page';
import { TimeText } from '@/components/ui/time-text';
import type { OverviewFieldsFragment } from '@/graphql/generated/graphql';
import classes from './overview.module.css';

type Upcoming = OverviewFieldsFragment['upcoming'];

/** What fires next. */
export function UpcomingPanel({ upcoming }: { upcoming: Upcoming }) {
  const { t } = useTranslation('overview');
  return (
    <Panel title={t('upcoming.title')}>
      {upcoming.length === 0 ? (
        <p className={classes.quiet}>{t('upcoming.none')}</p>
      ) : (
        <ol className={classes.upcoming}>
          {upcoming.map(({ job, at }) => (
            <li key={`${job.id} ${at}`}>
              <Link to="/jobs/$jobId" params={{ jobId: job.id }} className={classes.jobLink}>
                {job.name}
              </Link>
              <span className={classes.quiet}>
                <TimeText at={at} jobZone={job.trigger.zone} format="relative" />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
