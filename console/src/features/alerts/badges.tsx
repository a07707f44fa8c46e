import { useTranslation } from 'react-i18next';
import { Badge, type Look } from '@/components/ui/state-badge';
import type { AlertSeverity } from '@/graphql/generated/enums';

const severity: Record<AlertSeverity, Look> = {
  INFO: { tone: 'run', icon: 'info' },
  WARNING: { tone: 'retry', icon: 'warning' },
  CRITICAL: { tone: 'fail', icon: 'alerts' },
};

export function SeverityBadge({ severity: value }: { severity: AlertSeverity }) {
  const { t } = useTranslation('alerts');
  return <Badge look={severity[value]} label={t(`severity.${value}`)} />;
}
