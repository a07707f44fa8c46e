import { useTranslation } from 'react-i18next';
import { Badge, type Look } from '@/components/ui/state-badge';
import type { AlertSeverity, IncidentState } from '@/graphql/generated/enums';

const severity: Record<AlertSeverity, Look> = {
  INFO: { tone: 'run', icon: 'info' },
  WARNING: { tone: 'retry', icon: 'warning' },
  CRITICAL: { tone: 'fail', icon: 'alerts' },
};

const incident: Record<IncidentState, Look> = {
  OPEN: { tone: 'fail', icon: 'alerts' },
  ACKNOWLEDGED: { tone: 'run', icon: 'user' },
  RESOLVED: { tone: 'ok', icon: 'check' },
};

export function SeverityBadge({ severity: value }: { severity: AlertSeverity }) {
  const { t } = useTranslation('alerts');
  return <Badge look={severity[value]} label={t(`severity.${value}`)} />;
}

export function IncidentStateBadge({ state }: { state: IncidentState }) {
  const { t } = useTranslation('alerts');
  return <Badge look={incident[state]} label={t(`state.${state}`)} />;
}

/** The problem comes and goes: it is told once and then watched. */
export function FlappingBadge() {
  const { t } = useTranslation('alerts');
  return <Badge look={{ tone: 'retry', icon: 'retrying' }} label={t('flapping')} />;
}

/** Measured, and not sent while a silence holds. */
export function SilencedBadge() {
  const { t } = useTranslation('alerts');
  return <Badge look={{ tone: 'stop', icon: 'silence' }} label={t('silenced')} />;
}
