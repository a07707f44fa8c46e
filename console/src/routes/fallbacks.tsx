import { Button } from '@mantine/core';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CombinedError } from 'urql';
import { CodeBlock } from '@/components/ui/code-block';
import { Page } from '@/components/ui/page';
import { EmptyState, ErrorState, SkeletonLines, SlowHint } from '@/components/ui/states';
import { describeError } from '@/graphql/error';
import { useSlow } from '@/graphql/use-read';

/** Stands in for the whole console while the server says who is signed in. */
export function ShellPending() {
  const { t } = useTranslation('shell');
  const slow = useSlow(true);
  return (
    <main style={{ padding: 'var(--bf-page)' }}>
      <h1 className="bf-sr">{t('product')}</h1>
      <SkeletonLines lines={6} />
      <SlowHint slow={slow} />
    </main>
  );
}

/** Stands in for a page whose code is on its way. */
export function PagePending() {
  return (
    <div style={{ padding: 'var(--bf-page)' }}>
      <SkeletonLines lines={6} />
    </div>
  );
}

/** An address without a page, or a thing that does not exist. */
export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('error.notFoundTitle')}>
      <EmptyState
        icon="search"
        title={t('error.notFoundPage')}
        action={<Link to="/">{t('actions.back')}</Link>}
      />
    </Page>
  );
}

/** A page whose guard failed or whose code threw. */
export function RouteError({ error }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const retry = () => void router.invalidate();
  if (error instanceof CombinedError) {
    return <ErrorState error={describeError(error)} onRetry={retry} />;
  }
  return (
    <Page title={t('error.crashTitle')}>
      <p>{t('error.crashText')}</p>
      <CodeBlock
        code={error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error)}
      />
      <div>
        <Button variant="default" onClick={retry}>
          {t('actions.reload')}
        </Button>
      </div>
    </Page>
  );
}
