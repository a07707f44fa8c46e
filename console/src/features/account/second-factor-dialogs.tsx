import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RecoveryCodes } from '@/features/auth/recovery-codes';
import { useMutationAction } from '@/graphql/use-action';
import classes from './account.module.css';
import { PasswordStep } from './password-step';
import { RemoveSecondFactor, RenewRecoveryCodes } from './queries';

/** New recovery codes in place of the former ones. */
export function RenewDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const action = useMutationAction(RenewRecoveryCodes, {
    pick: (data) => data.renewRecoveryCodes,
    refusals: 'form',
  });
  if (codes) {
    return (
      <div className={classes.form}>
        <RecoveryCodes codes={codes} onDone={onClose} />
      </div>
    );
  }
  return (
    <PasswordStep
      userErrors={action.userErrors}
      busy={action.busy}
      submit={t('factor.renew')}
      onCancel={onClose}
      onSubmit={async (currentPassword) => {
        const { payload } = await action.run({ currentPassword });
        if (payload?.recoveryCodes) setCodes(payload.recoveryCodes);
      }}
    >
      <p>{t('factor.renewText')}</p>
    </PasswordStep>
  );
}

/** Takes the second factor away. */
export function RemoveDialog({ required, onClose }: { required: boolean; onClose: () => void }) {
  const { t } = useTranslation('account');
  const action = useMutationAction(RemoveSecondFactor, {
    pick: (data) => data.removeSecondFactor,
    success: () => t('factor.removed'),
    refusals: 'form',
  });
  return (
    <PasswordStep
      userErrors={action.userErrors}
      busy={action.busy}
      submit={t('factor.remove')}
      danger
      onCancel={onClose}
      onSubmit={async (currentPassword) => {
        const { payload } = await action.run({ currentPassword });
        if (payload) onClose();
      }}
    >
      <p>{t(required ? 'factor.removeDemanded' : 'factor.removeText')}</p>
    </PasswordStep>
  );
}
