import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '@/components/ui/page';
import { Notice } from '@/components/ui/states';
import { fieldErrors } from '@/graphql/field-errors';
import classes from './account.module.css';
import { useUpdateViewer } from './use-update-viewer';

const paths = ['input.currentPassword', 'input.newPassword'] as const;
const shortest = 10;
const nothing = { current: '', next: '', again: '' };

/** Sets a new password. */
export function PasswordForm() {
  const { t } = useTranslation('account');
  const { t: ta } = useTranslation('auth');
  const [fields, setFields] = useState(nothing);
  const [tried, setTried] = useState(false);
  const action = useUpdateViewer('passwordSaved');
  const errors = fieldErrors(action.userErrors, paths);
  const short = fields.next.length < shortest;
  const differs = fields.next !== fields.again;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (short || differs) return;
    const { payload } = await action.run({
      input: { currentPassword: fields.current, newPassword: fields.next },
    });
    if (!payload) return;
    setFields(nothing);
    setTried(false);
  };

  const field = (key: keyof typeof nothing) => ({
    value: fields[key],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setFields((old) => ({ ...old, [key]: value }));
    },
    visibilityToggleButtonProps: { 'aria-label': ta('showPassword') },
  });

  return (
    <Panel title={t('password')}>
      <form className={classes.form} onSubmit={(event) => void submit(event)}>
        {errors.rest.map((message) => (
          <Notice key={message} tone="fail">
            {message}
          </Notice>
        ))}
        <PasswordInput
          {...field('current')}
          size="xs"
          label={t('currentPassword')}
          autoComplete="current-password"
          error={errors.at['input.currentPassword']}
        />
        <PasswordInput
          {...field('next')}
          size="xs"
          label={ta('newPassword')}
          description={ta('passwordRule', { count: shortest })}
          autoComplete="new-password"
          error={
            errors.at['input.newPassword'] ??
            (tried && short ? ta('tooShort', { count: shortest, has: fields.next.length }) : null)
          }
        />
        <PasswordInput
          {...field('again')}
          size="xs"
          label={ta('repeatPassword')}
          autoComplete="new-password"
          error={tried && !short && differs ? ta('differs') : null}
        />
        <div>
          <Button type="submit" loading={action.busy}>
            {t('setPassword')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
