import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '@/components/ui/icon';
import { Panel } from '@/components/ui/page';
import type { OverviewFieldsFragment } from '@/graphql/generated/graphql';
import { clockTime } from '@/time/format';
import { useZone } from '@/time/view';
import { type Outcome, outcomes, totals } from './minutes';
import { MinutesChart } from './minutes-chart';
import classes from './overview.module.css';

const icons: Record<Outcome, IconName> = {
  succeeded: 'check',
  failed: 'failed',
  retried: 'retrying',
  cancelled: 'cancelled',
  skipped: 'skipped',
};

/** Ends per minute of the last hour; the line above the chart counts the hour, or the minute pointed at. */
export function MinutesPanel({ minutes }: { minutes: OverviewFieldsFragment['minutes'] }) {
  const { t, i18n } = useTranslation('overview');
  const zone = useZone();
  const [pointed, setPointed] = useState<number | null>(null);
  const number = new Intl.NumberFormat(i18n.language);
  const minute = pointed === null ? undefined : minutes[pointed];
  const counts = totals(minute ? [minute] : minutes);
  return (
    <Panel
      title={t('hour.title')}
      actions={
        <div className={classes.legend}>
          <span className={classes.when}>
            {minute ? clockTime(new Date(minute.at), zone) : t('hour.whole')}
          </span>
          {outcomes.map((outcome) => (
            <span key={outcome} data-outcome={outcome}>
              <Icon name={icons[outcome]} size={13} />
              {t(`hour.${outcome}`)} <b>{number.format(counts[outcome])}</b>
            </span>
          ))}
        </div>
      }
    >
      <MinutesChart minutes={minutes} zone={zone} pointed={pointed} onPoint={setPointed} />
    </Panel>
  );
}
