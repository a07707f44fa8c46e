import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { CodeBlock } from '@/components/ui/code-block';
import { Page, Panel } from '@/components/ui/page';
import { EmptyState, ErrorLine, ErrorState, SkeletonLines, SlowHint } from '@/components/ui/states';
import type { AppPageQuery } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useRead } from '@/graphql/use-read';
import { AppActions } from './app-actions';
import classes from './apps.module.css';
import { embedCode, exampleCommand } from './commands';
import { KeyDialog, type NewKey } from './key-dialog';
import { KeysTable } from './keys-table';
import { AppQuery, CreateAppKey } from './queries';

type App = NonNullable<AppPageQuery['app']>;

/** One app: its keys, its groups, and how a worker of it starts. */
export function AppPage({ name }: { name: string }) {
  const { t } = useTranslation('apps');
  const read = useRead({ query: AppQuery, variables: { name } });
  const app = read.data?.app;
  if (read.data && !app && !read.refreshing) {
    return (
      <Page title={name} crumbs={<Link to="/apps">{t('title')}</Link>}>
        <EmptyState icon="apps" title={t('missing.title')}>
          {t('missing.text')}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={name}
      crumbs={<Link to="/apps">{t('title')}</Link>}
      lead={app?.description}
      actions={app ? <AppActions app={app} /> : null}
    >
      {read.error && app ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {read.error && !app ? <ErrorState error={read.error} onRetry={read.refetch} /> : null}
      {app ? (
        <Loaded app={app} url={read.data?.installation.publicUrl ?? window.location.origin} />
      ) : read.error ? null : (
        <SkeletonLines lines={10} />
      )}
      <SlowHint slow={read.slow} />
    </Page>
  );
}

function Loaded({ app, url }: { app: App; url: string }) {
  const { t } = useTranslation('apps');
  const [made, setMade] = useState<NewKey | null>(null);
  const action = useMutationAction(CreateAppKey, { pick: (d) => d.createAppKey });
  const group = app.nodeGroups[0]?.name ?? 'default';
  const active = app.keys.filter((key) => !key.revokedAt).length;

  const create = async () => {
    const { payload } = await action.run({ app: app.id });
    if (payload?.key) setMade({ app: app.name, group, url, key: payload.key });
  };

  return (
    <>
      <Panel
        title={t('keys')}
        flush
        actions={
          <ActionButton
            atLeast="ADMIN"
            icon="key"
            busy={action.busy}
            reason={active >= 2 ? t('twoKeys') : null}
            onClick={() => void create()}
          >
            {t('newKey')}
          </ActionButton>
        }
      >
        <KeysTable keys={app.keys} />
      </Panel>
      <Panel title={t('groups')}>
        <p className={classes.text}>{t('groupsText')}</p>
        <ul className={classes.links}>
          {app.nodeGroups.map((each) => (
            <li key={each.id}>
              <Link to="/nodes" search={{ group: each.id }}>
                {each.name}
              </Link>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title={t('start')}>
        <p className={classes.text}>{t('startText')}</p>
        <CodeBlock
          code={exampleCommand({ url, app: app.name, key: t('keyPlaceholder'), group })}
          label={t('key.command')}
        />
        <p className={classes.text}>{t('embedText')}</p>
        <CodeBlock code={embedCode({ url, app: app.name, group })} label={t('embed')} />
      </Panel>
      <KeyDialog made={made} onClose={() => setMade(null)} />
    </>
  );
}
