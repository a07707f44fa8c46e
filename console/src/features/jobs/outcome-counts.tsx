import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import classes from './jobs.module.css';

interface Stats {
  succeeded: string;
  failed: string;
  cancelled: string;
  skipped: string;
}

/** Ends of the last 24 hours in one line: good ones, failed ones and the rest if there are any. */
export function OutcomeCounts({ stats }: { stats: Stats }) {
  const { t, i18n } = useTranslation('jobs');
  const short = new Intl.NumberFormat(i18n.language, { notation: 'compact' });
  const full = new Intl.NumberFormat(i18n.language);
  const [succeeded, failed, cancelled, skipped] = [
    Number(stats.succeeded),
    Number(stats.failed),
    Number(stats.cancelled),
    Number(stats.skipped),
  ];
  if (succeeded + failed + cancelled + skipped === 0) {
    return <span className={classes.quiet}>{t('noRuns')}</span>;
  }
  const label = t('outcomes', {
    succeeded: full.format(succeeded),
    failed: full.format(failed),
    cancelled: full.format(cancelled),
    skipped: full.format(skipped),
  });
  return (
    <Tooltip label={label}>
      <span className={classes.counts} role="img" aria-label={label}>
        <span data-tone="ok">
          <Icon name="check" size={13} />
          {short.format(succeeded)}
        </span>
        {failed > 0 ? (
          <span data-tone="fail">
            <Icon name="failed" size={13} />
            {short.format(failed)}
          </span>
        ) : null}
        {cancelled + skipped > 0 ? (
          <span data-tone="wait">
            <Icon name="skipped" size={13} />
            {short.format(cancelled + skipped)}
          </span>
        ) : null}
      </span>
    </Tooltip>
  );
}
