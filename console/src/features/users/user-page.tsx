import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Fact, Facts } from '@/components/ui/facts';
import { Page, Panel } from '@/components/ui/page';
import { EmptyState, ErrorLine, ErrorState, SkeletonLines, SlowHint } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import { useRead } from '@/graphql/use-read';
import { LinkDialog, type NewLink } from './link-dialog';
import { UserQuery } from './queries';
import { RolesText } from './roles-text';
import { SessionsPanel } from './sessions-panel';
import { UserActions } from './user-actions';
import { UserBadge } from './user-badge';

/** One account: what it may do, and where it is signed in. */
export function UserPage({ id }: { id: string }) {
  const { t } = useTranslation('users');
  const read = useRead({ query: UserQuery, variables: { id } });
  const [made, setMade] = useState<NewLink | null>(null);
  const user = read.data?.user;
  const crumbs = <Link to="/users">{t('title')}</Link>;
  if (read.data && !user && !read.refreshing) {
    return (
      <Page title={t('missing.title')} crumbs={crumbs}>
        <EmptyState icon="user" title={t('missing.title')}>
          {t('missing.text')}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={user?.name ?? t('user')}
      badge={user ? <UserBadge user={user} /> : null}
      crumbs={crumbs}
      actions={user ? <UserActions user={user} onLink={setMade} /> : null}
    >
      {read.error && user ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {read.error && !user ? <ErrorState error={read.error} onRetry={read.refetch} /> : null}
      {user ? (
        <>
          <Panel title={t('account')}>
            <Facts>
              <Fact label={t('roles')}>
                <RolesText role={user.role} apps={user.apps} most={100} />
              </Fact>
              <Fact label={t('password')}>
                {t(user.hasPassword ? 'passwordSet' : 'passwordNone')}
              </Fact>
              <Fact label={t('created')}>
                <TimeText at={user.createdAt} />
              </Fact>
              {user.disabledAt ? (
                <Fact label={t('disabledSince')}>
                  <TimeText at={user.disabledAt} />
                </Fact>
              ) : null}
            </Facts>
          </Panel>
          <SessionsPanel user={user.id} />
        </>
      ) : read.error ? null : (
        <SkeletonLines lines={8} />
      )}
      <SlowHint slow={read.slow} />
      <LinkDialog made={made} onClose={() => setMade(null)} />
    </Page>
  );
}
