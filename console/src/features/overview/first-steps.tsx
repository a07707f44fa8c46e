import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { CodeBlock } from '@/components/ui/code-block';
import { Icon } from '@/components/ui/icon';
import { Panel } from '@/components/ui/page';
import classes from './overview.module.css';
import { FirstStepsQuery } from './queries';

/** What to do with an installation that has nothing in it yet: an app, a worker, a job. */
export function FirstSteps() {
  const { t } = useTranslation('overview');
  const [result] = useQuery({ query: FirstStepsQuery });
  const app = result.data?.apps[0];
  const server = result.data?.installation.publicUrl || location.origin;
  const worker = [
    `belfry agent --server ${server} \\`,
    `  --app ${app?.name ?? 'shop'} --group default \\`,
    '  --key "$BELFRY_APP_KEY"',
  ].join('\n');
  return (
    <Panel title={t('first.title')}>
      <p className={classes.firstLead}>{t('first.lead')}</p>
      <ol className={classes.steps}>
        <Step done={app !== undefined} title={t('first.app')}>
          <p>{t('first.appText')}</p>
          {app ? null : <CodeBlock code="belfry app create shop" label={t('first.command')} />}
        </Step>
        <Step done={(app?.onlineNodeCount ?? 0) > 0} title={t('first.worker')}>
          <p>{t('first.workerText')}</p>
          <CodeBlock code={worker} label={t('first.command')} />
        </Step>
        <Step done={(app?.jobCount ?? 0) > 0} title={t('first.job')}>
          <p>{t('first.jobText')}</p>
          <Link to="/jobs/new">{t('first.jobLink')}</Link>
        </Step>
      </ol>
    </Panel>
  );
}

function Step({ done, title, children }: { done: boolean; title: string; children: ReactNode }) {
  const { t } = useTranslation('overview');
  return (
    <li data-done={done || undefined}>
      <h3>
        {title}
        {done ? (
          <span className={classes.done}>
            <Icon name="check" size={14} />
            {t('first.done')}
          </span>
        ) : null}
      </h3>
      {children}
    </li>
  );
}
