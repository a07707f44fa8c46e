import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '@/components/ui/states';
import { useSession } from '@/session/context';
import type { Step } from '@/session/session';
import classes from './auth.module.css';
import { AuthFrame } from './auth-frame';
import { ProviderButton, useMethods } from './provider';
import type { Refusal } from './refusals';
import { SecondStep } from './second-step';
import { useAuthError } from './use-auth-error';

interface SignInPageProps {
  /** Where to go afterwards. */
  from?: string | undefined;
  /** Why a sign-in by the identity provider failed. */
  refused?: Refusal | undefined;
  onSignedIn: () => Promise<void>;
}

/** Name and password, then the second factor of whoever has one. A refusal is shown in the server's words, above the fields. */
export function SignInPage({ from, refused, onSignedIn }: SignInPageProps) {
  const { t } = useTranslation('auth');
  const session = useSession();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [step, setStep] = useState<Step | null>(null);
  const { error, setError } = useAuthError();
  const methods = useMethods();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const next = await session.signIn(name, password);
      if (next) setStep(next);
      else await onSignedIn();
    } catch (refusal) {
      setError(refusal);
      setPassword('');
    } finally {
      setBusy(false);
    }
  };

  if (step) {
    const again = () => {
      setStep(null);
      setPassword('');
    };
    return <SecondStep step={step} onSignedIn={onSignedIn} onAgain={again} />;
  }
  return (
    <AuthFrame title={t('signIn.title')}>
      <form className={classes.form} onSubmit={(event) => void submit(event)}>
        {error ? (
          <div role="alert">
            <Notice tone="fail">{error}</Notice>
          </div>
        ) : null}
        {!error && refused ? (
          <div role="alert">
            <Notice tone="fail">{t(`provider.refused.${refused}`)}</Notice>
          </div>
        ) : null}
        {methods?.password === false ? null : (
          <>
            <TextInput
              size="sm"
              label={t('name')}
              autoComplete="username"
              autoCapitalize="none"
              required
              withAsterisk={false}
              autoFocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <PasswordInput
              label={t('password')}
              autoComplete="current-password"
              required
              withAsterisk={false}
              visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            <Button type="submit" size="sm" loading={busy}>
              {t('signIn.submit')}
            </Button>
          </>
        )}
      </form>
      {methods?.provider ? <ProviderButton provider={methods.provider} from={from} /> : null}
    </AuthFrame>
  );
}
