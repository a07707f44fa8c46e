import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '@/components/ui/icon';
import badge from '@/components/ui/state-badge.module.css';
import type { BackfillState } from '@/graphql/generated/enums';

const looks: Record<BackfillState, { tone: string; icon: IconName }> = {
  RUNNING: { tone: 'run', icon: 'running' },
  PAUSED: { tone: 'wait', icon: 'pause' },
  FINISHED: { tone: 'ok', icon: 'check' },
  CANCELLED: { tone: 'stop', icon: 'cancelled' },
};

export function BackfillBadge({ state }: { state: BackfillState }) {
  const { t } = useTranslation('backfill');
  const { tone, icon } = looks[state];
  return (
    <span className={badge.badge} data-tone={tone}>
      <Icon name={icon} size={14} />
      {t(`state.${state}`)}
    </span>
  );
}
