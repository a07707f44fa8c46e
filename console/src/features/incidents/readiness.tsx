import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { Notice } from '@/components/ui/states';
import { ChannelsQuery } from '@/features/alert-channels/queries';
import classes from './incidents.module.css';
import { RuleNamesQuery } from './queries';

/** Says when a quiet list means nothing: no rule looks, or nobody would be told. */
export function Readiness() {
  const { t } = useTranslation('alerts');
  const [rules] = useQuery({ query: RuleNamesQuery });
  const [channels] = useQuery({ query: ChannelsQuery });
  if (rules.data?.alertRules.length === 0) {
    return (
      <Notice tone="retry">
        {t('ready.noRule')}{' '}
        <Link to="/alerts/rules" className={classes.inText}>
          {t('ready.toRules')}
        </Link>
      </Notice>
    );
  }
  if (channels.data?.alertChannels.every(({ enabled }) => !enabled)) {
    return (
      <Notice tone="retry">
        {t('ready.noChannel')}{' '}
        <Link to="/alerts/channels" className={classes.inText}>
          {t('ready.toChannels')}
        </Link>
      </Notice>
    );
  }
  return null;
}
