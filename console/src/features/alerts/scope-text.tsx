import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ScopeFieldsFragment } from '@/graphql/generated/graphql';
import classes from './alerts.module.css';
import { labelsText } from './scope';

/** What a rule or a silence is about, in words and linked. */
export function ScopeText({ scope }: { scope: ScopeFieldsFragment }) {
  const { t } = useTranslation('alerts');
  return (
    <span className={classes.scope}>
      {scope.job ? (
        <>
          {t('scope.JOB')}{' '}
          <Link to="/jobs/$jobId" params={{ jobId: scope.job.id }}>
            {scope.job.name}
          </Link>
        </>
      ) : scope.group ? (
        <>
          {t('scope.GROUP')}{' '}
          <Link to="/nodes" search={{ group: scope.group.id }}>
            {scope.group.app.name} / {scope.group.name}
          </Link>
        </>
      ) : scope.app ? (
        <>
          {t('scope.APP')}{' '}
          <Link to="/apps/$appName" params={{ appName: scope.app.name }}>
            {scope.app.name}
          </Link>
        </>
      ) : scope.kind === 'LABELS' ? (
        <>
          {t('scope.LABELS')} <code>{labelsText(scope.labels)}</code>
        </>
      ) : scope.kind === 'ALL' ? (
        t('scope.ALL')
      ) : (
        t('scope.gone')
      )}
    </span>
  );
}
