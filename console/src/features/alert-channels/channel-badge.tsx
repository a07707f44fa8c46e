import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/ui/state-badge';
import type { ChannelRowFragment } from '@/graphql/generated/graphql';

/** Whether a channel sends. One that the server switched off is louder than one that a person did. */
export function ChannelBadge({ channel }: { channel: ChannelRowFragment }) {
  const { t } = useTranslation('channels');
  if (channel.enabled) return <Badge look={{ tone: 'ok', icon: 'check' }} label={t('enabled')} />;
  return channel.disabledReason ? (
    <Badge look={{ tone: 'fail', icon: 'failed' }} label={t('broken')} />
  ) : (
    <Badge look={{ tone: 'wait', icon: 'pause' }} label={t('disabled')} />
  );
}
