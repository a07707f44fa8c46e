import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '@/components/ui/icon';
import badge from '@/components/ui/state-badge.module.css';
import type { BulkState } from '@/graphql/generated/enums';

const looks: Record<BulkState, { tone: string; icon: IconName }> = {
  RUNNING: { tone: 'run', icon: 'running' },
  FINISHED: { tone: 'ok', icon: 'check' },
  CANCELLED: { tone: 'stop', icon: 'cancelled' },
};

export function BulkBadge({ state }: { state: BulkState }) {
  const { t } = useTranslation('bulk');
  const { tone, icon } = looks[state];
  return (
    <span className={badge.badge} data-tone={tone}>
      <Icon name={icon} size={14} />
      {t(`state.${state}`)}
    </span>
  );
}
