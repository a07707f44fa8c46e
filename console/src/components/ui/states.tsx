import { Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ErrorView } from '@/graphql/error';
import { Icon, type IconName } from './icon';
import classes from './states.module.css';

/** Nothing is there yet, or nothing matches: what that means and what to do. */
export function EmptyState({
  icon = 'info',
  title,
  children,
  action,
}: {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classes.empty}>
      <Icon name={icon} size={22} />
      <p className={classes.emptyTitle}>{title}</p>
      {children ? <div className={classes.text}>{children}</div> : null}
      {action}
    </div>
  );
}

/** A read failed and there is nothing to show: the server's sentence and a way to try again. */
export function ErrorState({ error, onRetry }: { error: ErrorView; onRetry?: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.error} role="alert">
      <Icon name="warning" size={22} />
      <p className={classes.emptyTitle}>{t('error.title')}</p>
      <ErrorText error={error} />
      {onRetry ? (
        <Button variant="default" onClick={onRetry}>
          {t('actions.reload')}
        </Button>
      ) : null}
    </div>
  );
}

/** A read failed but older data is shown below: one line above it. */
export function ErrorLine({ error, onRetry }: { error: ErrorView; onRetry?: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.line} data-tone="fail" role="alert">
      <Icon name="warning" />
      <ErrorText error={error} />
      {onRetry ? (
        <button type="button" className={classes.link} onClick={onRetry}>
          {t('actions.reload')}
        </button>
      ) : null}
    </div>
  );
}

function ErrorText({ error }: { error: ErrorView }) {
  const { t } = useTranslation();
  const own =
    error.code === 'HTTP' ? t('error.http', { status: error.status }) : t('error.network');
  return (
    <span className={classes.text}>
      {error.message || own}
      {error.requestId ? (
        <code className={classes.request}>{t('error.request', { id: error.requestId })}</code>
      ) : null}
    </span>
  );
}

/** A remark of the server or of ours that stays on the page. */
export function Notice({
  tone,
  children,
}: {
  tone: 'info' | 'retry' | 'fail' | 'ok';
  children: ReactNode;
}) {
  const icon = tone === 'ok' ? 'check' : tone === 'info' ? 'info' : 'warning';
  return (
    <div className={classes.line} data-tone={tone}>
      <Icon name={icon} />
      <div className={classes.notice}>{children}</div>
    </div>
  );
}

/** Says that an answer is late; keeps its height so that nothing jumps. */
export function SlowHint({ slow }: { slow: boolean }) {
  const { t } = useTranslation();
  return (
    <p className={classes.slow} role="status">
      {slow ? t('slow') : ''}
    </p>
  );
}

/** Grey lines in place of a text or form that is on its way. */
export function SkeletonLines({ lines = 4, height = 14 }: { lines?: number; height?: number }) {
  const { t } = useTranslation();
  return (
    <div className={classes.lines} role="status" aria-label={t('loading')}>
      {Array.from({ length: lines }, (_, i) => `${92 - ((i * 17) % 45)}%`).map((width, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never reordered
        <Skeleton key={i} height={height} width={width} radius={3} />
      ))}
    </div>
  );
}
