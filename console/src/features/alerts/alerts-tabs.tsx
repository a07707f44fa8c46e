import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from './alerts.module.css';

const tabs = [
  { to: '/alerts', label: 'incidents' },
  { to: '/alerts/rules', label: 'rules' },
  { to: '/alerts/channels', label: 'channels' },
  { to: '/alerts/silences', label: 'silences' },
  { to: '/alerts/deliveries', label: 'deliveries' },
] as const;

/** The pages about alerts, beside one another. */
export function AlertsTabs() {
  const { t } = useTranslation('alerts');
  return (
    <nav className={classes.tabs} aria-label={t('tabs.label')}>
      {tabs.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          {t(`tabs.${label}`)}
        </Link>
      ))}
    </nav>
  );
}
