import { useTranslation } from 'react-i18next';
import { graphql } from '@/graphql/generated';
import { useRead } from '@/graphql/use-read';
import { useLive } from '@/live/hooks';
import classes from './shell.module.css';

const FailedCountQuery = graphql(`
  query FailedCount {
    overview {
      failedQueue
    }
  }
`);

const FailedCountChanged = graphql(`
  subscription FailedCountChanged {
    overviewChanged {
      failedQueue
    }
  }
`);

/** How many tasks wait in the failed queue, live; nothing while it is empty or unknown. */
export function FailedCount() {
  const { t, i18n } = useTranslation('shell');
  const read = useRead({ query: FailedCountQuery, variables: {} });
  const event = useLive({ query: FailedCountChanged, variables: {} });
  const count = Number(
    event?.overviewChanged.failedQueue ?? read.data?.overview.failedQueue ?? '0',
  );
  if (count === 0) return null;
  const number = new Intl.NumberFormat(i18n.language, { notation: 'compact' });
  return (
    <span className={classes.badge}>
      <span aria-hidden="true">{number.format(count)}</span>
      <span className="bf-sr">{t('nav.failedCount', { count })}</span>
    </span>
  );
}
