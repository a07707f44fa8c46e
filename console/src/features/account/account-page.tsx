import { useTranslation } from 'react-i18next';
import { Fact, Facts } from '@/components/ui/facts';
import { Page, Panel } from '@/components/ui/page';
import { useViewer } from '@/session/context';
import classes from './account.module.css';
import { ContactsForm } from './contacts-form';
import { PasswordForm } from './password-form';
import { PreferencesForm } from './preferences-form';
import { SecondFactorPanel } from './second-factor-panel';
import { SessionsPanel } from './sessions-panel';

/** The account of whoever is signed in: language, time zone, how one signs in, and where one is signed in. */
export function AccountPage() {
  const { t } = useTranslation('account');
  const { t: tc } = useTranslation();
  const viewer = useViewer();
  if (!viewer) return null;
  return (
    <Page title={t('title')}>
      <div className={classes.columns}>
        <Panel title={t('who')}>
          <Facts>
            <Fact label={t('name')}>{viewer.name}</Fact>
            <Fact label={t('role')}>{tc(`role.${viewer.role}`)}</Fact>
          </Facts>
        </Panel>
        <PreferencesForm viewer={viewer} />
        {viewer.isToken ? null : <ContactsForm name={viewer.name} />}
        <PasswordForm />
        {viewer.isToken ? null : (
          <>
            <SecondFactorPanel />
            <SessionsPanel />
          </>
        )}
      </div>
    </Page>
  );
}
