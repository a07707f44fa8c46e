import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AuthError } from '@/session/session';

/** The sentence for a failed call to /auth: the server's own, else ours for a server out of reach. */
export function useAuthError() {
  const { t } = useTranslation('auth');
  const [error, setError] = useState<unknown>(null);
  if (error === null) return { error: null, setError };
  const known = error instanceof AuthError ? error : null;
  const text = known?.message || (known?.code === 'NETWORK' ? t('unreachable') : t('failed'));
  return { error: text, setError };
}
