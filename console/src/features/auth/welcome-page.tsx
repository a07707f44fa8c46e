import { Button, PasswordInput } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice, SkeletonLines } from '@/components/ui/states';
import { useSession } from '@/session/context';
import type { Step } from '@/session/session';
import classes from './auth.module.css';
import { AuthFrame } from './auth-frame';
import { SecondStep } from './second-step';
import { useAuthError } from './use-auth-error';

interface WelcomePageProps {
  /** From the address; null when it has none. */
  token: string | null;
  onSignedIn: () => Promise<void>;
}

/** Redeems a one-time link: signs in, or first asks for a password for the new account. */
export function WelcomePage({ token, onSignedIn }: WelcomePageProps) {
  const { t } = useTranslation('auth');
  const session = useSession();
  const [account, setAccount] = useState<string | null>(null);
  const { error, setError } = useAuthError();
  const [step, setStep] = useState<Step | null>(null);
  const router = useRouter();
  const asked = useRef(false);

  const redeem = useEffectEvent(async (value: string) => {
    try {
      const answer = await session.redeem(value);
      if (answer.needsPassword) setAccount(answer.name ?? '');
      else if (answer.step) setStep(answer.step);
      else await onSignedIn();
    } catch (refusal) {
      setError(refusal);
    }
  });

  useEffect(() => {
    // Once only, also when effects run twice: the link may be good for a single use.
    if (!token || asked.current) return;
    asked.current = true;
    void redeem(token);
  }, [token]);

  if (step) {
    const again = () => void router.navigate({ to: '/sign-in' });
    return <SecondStep step={step} onSignedIn={onSignedIn} onAgain={again} />;
  }
  if (token && account !== null) {
    return <SetPassword token={token} name={account} onStep={setStep} onSignedIn={onSignedIn} />;
  }
  return (
    <AuthFrame title={t('welcome.title')}>
      <div className={classes.form}>
        {error || !token ? (
          <>
            <div role="alert">
              <Notice tone="fail">{error ?? t('welcome.noToken')}</Notice>
            </div>
            <p>{t('welcome.remedy')}</p>
            <Link to="/sign-in">{t('welcome.toSignIn')}</Link>
          </>
        ) : (
          <SkeletonLines lines={3} />
        )}
      </div>
    </AuthFrame>
  );
}

const shortest = 10;

interface SetPasswordProps {
  token: string;
  name: string;
  onStep: (step: Step) => void;
  onSignedIn: () => Promise<void>;
}

function SetPassword(props: SetPasswordProps) {
  const { t } = useTranslation('auth');
  const session = useSession();
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const { error, setError } = useAuthError();
  const short = password.length < shortest;
  const differs = password !== again;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (short || differs) return;
    setBusy(true);
    setError(null);
    try {
      const { step } = await session.redeem(props.token, password);
      if (step) props.onStep(step);
      else await props.onSignedIn();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };

  return (
    <AuthFrame title={t('welcome.title')} lead={t('welcome.lead', { name: props.name })}>
      <form className={classes.form} onSubmit={(event) => void submit(event)}>
        {error ? (
          <div role="alert">
            <Notice tone="fail">{error}</Notice>
          </div>
        ) : null}
        <input type="text" autoComplete="username" value={props.name} readOnly hidden />
        <PasswordInput
          label={t('newPassword')}
          description={t('passwordRule', { count: shortest })}
          autoComplete="new-password"
          autoFocus
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={tried && short ? t('tooShort', { count: shortest, has: password.length }) : null}
        />
        <PasswordInput
          label={t('repeatPassword')}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          value={again}
          onChange={(event) => setAgain(event.currentTarget.value)}
          error={tried && !short && differs ? t('differs') : null}
        />
        <Button type="submit" size="sm" loading={busy}>
          {t('welcome.submit')}
        </Button>
      </form>
    </AuthFrame>
  );
}
