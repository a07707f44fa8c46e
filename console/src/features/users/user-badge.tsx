import { useTranslation } from 'react-i18next';
import { Badge, type Look } from '@/components/ui/state-badge';
import type { UserRowFragment } from '@/graphql/generated/graphql';

type State = 'active' | 'invited' | 'disabled';

const looks: Record<State, Look> = {
  active: { tone: 'ok', icon: 'check' },
  invited: { tone: 'wait', icon: 'waiting' },
  disabled: { tone: 'stop', icon: 'cancelled' },
};

/** Whether an account can sign in. */
export function UserBadge({ user }: { user: Pick<UserRowFragment, 'disabledAt' | 'hasPassword'> }) {
  const { t } = useTranslation('users');
  const state: State = user.disabledAt ? 'disabled' : user.hasPassword ? 'active' : 'invited';
  return <Badge look={looks[state]} label={t(`state.${state}`)} />;
}
