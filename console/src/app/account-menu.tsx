import { Menu, UnstyledButton } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import { useToast } from '@/components/ui/toast';
import { useSession, useViewer } from '@/session/context';
import { LanguagePicker, SchemePicker, TimeViewPicker } from './preferences';
import classes from './shell.module.css';

/** Who is signed in; look, language, time view, the account's settings and the way out. */
export function AccountMenu() {
  const { t } = useTranslation('shell');
  const { t: tc } = useTranslation();
  const viewer = useViewer();
  const session = useSession();
  const router = useRouter();
  const toast = useToast();
  if (!viewer) return null;

  const signOut = async () => {
    try {
      await session.signOut();
      await router.navigate({ to: '/sign-in' });
    } catch (error) {
      toast.fail((error instanceof Error && error.message) || t('account.signOutFailed'));
    }
  };

  return (
    <Menu width={280} closeOnItemClick>
      <Menu.Target>
        <UnstyledButton
          className={classes.account}
          aria-label={t('account.label', { name: viewer.name })}
        >
          <Icon name="user" />
          <span className={classes.accountName}>{viewer.name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {viewer.name} · {tc(`role.${viewer.role}`)}
        </Menu.Label>
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
        <Menu.Divider />
        <Menu.Item
          leftSection={<Icon name="user" size={14} />}
          onClick={() => void router.navigate({ to: '/account' })}
        >
          {t('account.settings')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="external" size={14} />} onClick={() => void signOut()}>
          {t('account.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
