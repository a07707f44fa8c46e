import { useTranslation } from 'react-i18next';
import type { RoutingFieldsFragment } from '@/graphql/generated/graphql';
import { formatGoDuration } from '@/time/duration';
import { routingForm } from './routing';

/** A routing in words, with what its strategy needs. */
export function RoutingText({ routing }: { routing: RoutingFieldsFragment | null }) {
  const { t } = useTranslation('routing');
  if (!routing) return <>{t('strategy.GROUP')}</>;
  const name = t(`strategy.${routing.strategy}`);
  switch (routing.strategy) {
    case 'CONSISTENT_HASH':
      return (
        <>
          {name}: {routing.key ? <code>{routing.key}</code> : t('uniqueKey')}
        </>
      );
    case 'PINNED':
      return (
        <>
          {name}: <code>{routing.node}</code>{' '}
          {t(`says.${routing.fallback ?? 'WAIT'}`, {
            time: formatGoDuration(routing.fallbackAfter) || '0s',
          })}
        </>
      );
    case 'LABELS':
      return (
        <>
          {name}: <code>{routingForm(routing).routingLabels.replaceAll('\n', ', ')}</code>
        </>
      );
    default:
      return <>{name}</>;
  }
}
