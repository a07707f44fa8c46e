import { useTranslation } from 'react-i18next';
import { AlertSummaryChanged, AlertSummaryQuery } from '@/features/alerts/queries';
import { useRead } from '@/graphql/use-read';
import { useLive } from '@/live/hooks';
import classes from './shell.module.css';

/** How many incidents nobody has taken on, live; nothing while there are none or it is unknown. */
export function AlertCount() {
  const { t, i18n } = useTranslation('shell');
  const read = useRead({ query: AlertSummaryQuery, variables: {} });
  const event = useLive({ query: AlertSummaryChanged, variables: {} });
  const summary = event?.alertSummaryChanged ?? read.data?.alertSummary;
  if (!summary || summary.open === 0) return null;
  const number = new Intl.NumberFormat(i18n.language, { notation: 'compact' });
  return (
    <span className={classes.badge} data-calm={summary.critical === 0 || undefined}>
      <span aria-hidden="true">{number.format(summary.open)}</span>
      <span className="bf-sr">
        {t('nav.alertCount', { count: summary.open, critical: summary.critical })}
      </span>
    </span>
  );
}
