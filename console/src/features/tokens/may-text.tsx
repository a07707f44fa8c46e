import { useTranslation } from 'react-i18next';
import { RolesText } from '@/features/users/roles-text';
import type { TokenRowFragment } from '@/graphql/generated/graphql';
import { areas } from './scopes';
import classes from './tokens.module.css';

/** What a token may do: its roles, and what it is limited to. */
export function MayText({ token }: { token: TokenRowFragment }) {
  const { t } = useTranslation('tokens');
  const parts = areas.flatMap(({ area, read, write }) => {
    const deeds = [
      token.scopes.includes(read) ? t('read') : null,
      write && token.scopes.includes(write) ? t('write') : null,
    ].filter((deed) => deed !== null);
    return deeds.length > 0 ? [`${t(`area.${area}`)} (${deeds.join(', ')})`] : [];
  });
  return (
    <span className={classes.may}>
      <RolesText role={token.role} apps={token.apps} />
      <span>{parts.length > 0 ? parts.join(' · ') : t('allScopes')}</span>
    </span>
  );
}
