import { useTranslation } from 'react-i18next';
import { Badge, type Look } from '@/components/ui/state-badge';
import type { NotificationState } from '@/graphql/generated/enums';

const looks: Record<NotificationState, Look> = {
  QUEUED: { tone: 'wait', icon: 'waiting' },
  SENT: { tone: 'ok', icon: 'check' },
  FAILED: { tone: 'fail', icon: 'failed' },
  SUPPRESSED: { tone: 'stop', icon: 'silence' },
  DROPPED: { tone: 'stop', icon: 'discarded' },
};

export function DeliveryStateBadge({ state }: { state: NotificationState }) {
  const { t } = useTranslation('deliveries');
  return <Badge look={looks[state]} label={t(`state.${state}`)} />;
}
