import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '@/components/ui/states';
import { useSession } from '@/session/context';
import type { Methods } from '@/session/session';
import classes from './auth.module.css';

/** How people sign in here; null until the server has said it. */
export function useMethods(): Methods | null {
  const session = useSession();
  const [methods, setMethods] = useState<Methods | null>(null);
  useEffect(() => {
    let gone = false;
    void session.methods().then((answer) => {
      if (!gone) setMethods(answer);
    });
    return () => {
      gone = true;
    };
  }, [session]);
  return methods;
}

/** Leads to the identity provider, and says so when it is down. */
export function ProviderButton(props: {
  provider: NonNullable<Methods['provider']>;
  from?: string | undefined;
}) {
  const { t } = useTranslation('auth');
  const { name, available } = props.provider;
  return (
    <div className={classes.form}>
      {available ? null : <Notice tone="retry">{t('provider.down', { name })}</Notice>}
      <Button
        component="a"
        variant="default"
        size="sm"
        href={`/auth/oidc/start?from=${encodeURIComponent(props.from ?? '/')}`}
      >
        {t('provider.signIn', { name })}
      </Button>
    </div>
  );
}
