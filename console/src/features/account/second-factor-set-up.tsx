import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormBody } from '@/components/ui/form-dialog';
import { EnrolmentCode } from '@/features/auth/enrolment-code';
import { RecoveryCodes } from '@/features/auth/recovery-codes';
import { fieldErrors } from '@/graphql/field-errors';
import { useMutationAction } from '@/graphql/use-action';
import type { Enrolment } from '@/session/session';
import classes from './account.module.css';
import { PasswordStep } from './password-step';
import { BeginSecondFactor, ConfirmSecondFactor } from './queries';

/** Password, then the secret and its first code, then the recovery codes. */
export function SetUpDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const begin = useMutationAction(BeginSecondFactor, {
    pick: (data) => data.beginSecondFactor,
    refusals: 'form',
  });
  if (codes) {
    return (
      <div className={classes.form}>
        <RecoveryCodes codes={codes} onDone={onClose} />
      </div>
    );
  }
  if (enrolment) return <Confirm enrolment={enrolment} onDone={setCodes} onCancel={onClose} />;
  return (
    <PasswordStep
      userErrors={begin.userErrors}
      busy={begin.busy}
      submit={t('factor.next')}
      onCancel={onClose}
      onSubmit={async (currentPassword) => {
        const { payload } = await begin.run({ currentPassword });
        if (payload?.secret) setEnrolment({ secret: payload.secret, qr: payload.qr ?? [] });
      }}
    />
  );
}

function Confirm(props: {
  enrolment: Enrolment;
  onDone: (codes: readonly string[]) => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation('account');
  const { t: ta } = useTranslation('auth');
  const [code, setCode] = useState('');
  const action = useMutationAction(ConfirmSecondFactor, {
    pick: (data) => data.confirmSecondFactor,
    success: () => t('factor.done'),
    refusals: 'form',
  });
  const errors = fieldErrors(action.userErrors, ['code'] as const);
  return (
    <FormBody
      problems={errors.rest}
      busy={action.busy}
      submit={t('factor.confirm')}
      disabled={code.trim() === ''}
      onCancel={props.onCancel}
      onSubmit={() =>
        void action.run({ code }).then(({ payload }) => {
          if (payload?.recoveryCodes) props.onDone(payload.recoveryCodes);
        })
      }
    >
      <EnrolmentCode enrolment={props.enrolment} />
      <TextInput
        label={ta('code.label')}
        description={ta('enrol.codeHint')}
        autoComplete="one-time-code"
        inputMode="numeric"
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={errors.at.code}
      />
    </FormBody>
  );
}
