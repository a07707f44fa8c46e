import { PasswordInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormBody } from '@/components/ui/form-dialog';
import { fieldErrors } from '@/graphql/field-errors';
import type { UserErrorFragment } from '@/graphql/generated/graphql';

interface PasswordStepProps {
  userErrors: readonly UserErrorFragment[];
  busy: boolean;
  submit: string;
  danger?: boolean;
  /** What happens, above the field. */
  children?: ReactNode;
  onSubmit: (password: string) => Promise<void>;
  onCancel: () => void;
}

/** Asks for the present password before something that a session left open must not do. */
export function PasswordStep(props: PasswordStepProps) {
  const { t } = useTranslation('account');
  const { t: ta } = useTranslation('auth');
  const [password, setPassword] = useState('');
  const errors = fieldErrors(props.userErrors, ['currentPassword'] as const);
  return (
    <FormBody
      problems={errors.rest}
      busy={props.busy}
      submit={props.submit}
      danger={props.danger === true}
      disabled={password === ''}
      onCancel={props.onCancel}
      onSubmit={() => void props.onSubmit(password)}
    >
      {props.children}
      <PasswordInput
        label={t('currentPassword')}
        autoComplete="current-password"
        data-autofocus
        visibilityToggleButtonProps={{ 'aria-label': ta('showPassword') }}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={errors.at.currentPassword}
      />
    </FormBody>
  );
}
