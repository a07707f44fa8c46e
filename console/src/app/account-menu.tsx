import { Popover, UnstyledButton } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import { useToast } from '@/components/ui/toast';
import { useSession, useViewer } from '@/session/context';
import { LanguagePicker, SchemePicker, TimeViewPicker } from './preferences';
import classes from './shell.module.css';

/**
 * Who is signed in; look, language, time view, the account's settings and the way out. A
 * popover and no menu, since a menu may hold nothing but menu items.
 */
export function AccountMenu() {
  const { t } = useTranslation('shell');
  const { t: tc } = useTranslation();
  const viewer = useViewer();
  const [opened, setOpened] = useState(false);
  const signOut = useSignOut();
  if (!viewer) return null;
  const label = t('account.label', { name: viewer.name });

  return (
    <Popover
      width={280}
      position="bottom-end"
      shadow="md"
      trapFocus
      opened={opened}
      onChange={setOpened}
      keepMounted={false}
    >
      <Popover.Target>
        <UnstyledButton
          className={classes.account}
          aria-label={label}
          onClick={() => setOpened(!opened)}
        >
          <Icon name="user" />
          <span className={classes.accountName}>{viewer.name}</span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} className={classes.accountBox}>
        <p className={classes.who}>
          {viewer.name} · {tc(`role.${viewer.role}`)}
        </p>
        <div className={classes.preferences}>
          <div className={classes.narrowOnly}>
            <span>{t('timeView.label')}</span>
            <TimeViewPicker fullWidth />
          </div>
          <div>
            <span>{t('scheme.label')}</span>
            <SchemePicker />
          </div>
          <LanguagePicker />
        </div>
        <div className={classes.accountLinks}>
          <Link to="/account" onClick={() => setOpened(false)}>
            <Icon name="user" size={14} />
            {t('account.settings')}
          </Link>
          <button type="button" onClick={() => void signOut()}>
            <Icon name="external" size={14} />
            {t('account.signOut')}
          </button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function useSignOut(): () => Promise<void> {
  const { t } = useTranslation('shell');
  const session = useSession();
  const router = useRouter();
  const toast = useToast();
  return async () => {
    try {
      await session.signOut();
      await router.navigate({ to: '/sign-in' });
    } catch (error) {
      toast.fail((error instanceof Error && error.message) || t('account.signOutFailed'));
    }
  };
}
