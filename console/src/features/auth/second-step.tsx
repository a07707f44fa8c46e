import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '@/components/ui/states';
import { useSession } from '@/session/context';
import { AuthError, type Step } from '@/session/session';
import classes from './auth.module.css';
import { AuthFrame } from './auth-frame';
import { EnrolmentCode } from './enrolment-code';
import { RecoveryCodes } from './recovery-codes';
import { useAuthError } from './use-auth-error';

interface SecondStepProps {
  step: Step;
  onSignedIn: () => Promise<void>;
  /** The ticket has ended, or somebody else wants to sign in. */
  onAgain: () => void;
}

/** Asks for the code of the second factor; first shows its secret when it is to be set up. */
export function SecondStep({ step, onSignedIn, onAgain }: SecondStepProps) {
  const { t } = useTranslation('auth');
  const session = useSession();
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);
  const [recovery, setRecovery] = useState<readonly string[]>([]);
  const { error, setError } = useAuthError();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const codes = await session.finish(step.ticket, code);
      if (codes.length > 0) setRecovery(codes);
      else await onSignedIn();
    } catch (refusal) {
      setError(refusal);
      setCode('');
      setOver(refusal instanceof AuthError && refusal.code === 'UNAUTHENTICATED');
    } finally {
      setBusy(false);
    }
  };

  if (recovery.length > 0) {
    return (
      <AuthFrame title={t('recovery.title')} wide>
        <div className={classes.form}>
          <RecoveryCodes codes={recovery} onDone={() => void onSignedIn()} />
        </div>
      </AuthFrame>
    );
  }
  const { enrolment } = step;
  return (
    <AuthFrame
      title={t(enrolment ? 'enrol.title' : 'code.title')}
      lead={t(enrolment ? 'enrol.demanded' : 'code.lead')}
      wide={enrolment !== null}
    >
      <form className={classes.form} onSubmit={(event) => void submit(event)}>
        {error ? (
          <div role="alert">
            <Notice tone="fail">{error}</Notice>
          </div>
        ) : null}
        {enrolment ? <EnrolmentCode enrolment={enrolment} /> : null}
        <TextInput
          size="sm"
          label={t('code.label')}
          description={t(enrolment ? 'enrol.codeHint' : 'code.hint')}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" size="sm" loading={busy} disabled={over}>
          {t('signIn.submit')}
        </Button>
        <Button variant="subtle" size="sm" onClick={onAgain}>
          {t('code.again')}
        </Button>
      </form>
    </AuthFrame>
  );
}
