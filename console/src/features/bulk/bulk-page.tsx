import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Fact, Facts } from '@/components/ui/facts';
import { JsonView } from '@/components/ui/json-view';
import { Page, Panel } from '@/components/ui/page';
import { EmptyState, ErrorLine, ErrorState, SkeletonLines, SlowHint } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { BulkRowFragment } from '@/graphql/generated/graphql';
import own from './bulk.module.css';
import { BulkBadge } from './bulk-badge';
import { deedOf } from './bulk-deed';
import { Chosen } from './chosen';
import { Counts, ProgressBar } from './progress';
import { firstRefusals, RefusalsPanel } from './refusals-panel';
import { StopButton } from './stop-button';
import { type Refusal, useBulk } from './use-bulk';

/** One bulk operation, live: how far it is, how its tasks were chosen, what it left as it was. */
export function BulkPage({ id }: { id: string }) {
  const { t, i18n } = useTranslation('bulk');
  const read = useBulk(id, firstRefusals);
  const bulk = read.data?.bulkOperation;
  const missing = read.data !== undefined && !bulk && !read.refreshing && !read.error;
  const count = Number(bulk?.total ?? 0);
  const shown = new Intl.NumberFormat(i18n.language).format(count);
  return (
    <Page
      title={bulk ? t(`what.${deedOf(bulk)}`, { count, shown }) : t('one')}
      crumbs={
        <>
          <Link to="/tasks">{t('tasks')}</Link> / <Link to="/bulk">{t('title')}</Link>
        </>
      }
      badge={bulk ? <BulkBadge state={bulk.state} /> : null}
      actions={bulk ? <StopButton bulk={bulk} /> : null}
    >
      {read.error && bulk ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {read.error && !bulk ? <ErrorState error={read.error} onRetry={read.refetch} /> : null}
      {missing ? (
        <EmptyState icon="search" title={t('missing.title')}>
          {t('missing.text')}
        </EmptyState>
      ) : null}
      {bulk ? (
        <Loaded bulk={bulk} refusals={bulk.refusals} />
      ) : read.error || missing ? null : (
        <Panel>
          <SkeletonLines lines={8} />
        </Panel>
      )}
      <SlowHint slow={read.slow} />
    </Page>
  );
}

function Loaded({ bulk, refusals }: { bulk: BulkRowFragment; refusals: readonly Refusal[] }) {
  const { t } = useTranslation('bulk');
  return (
    <>
      <Panel title={t('column.progress')}>
        <ProgressBar bulk={bulk} label={t('column.progress')} />
        <Counts bulk={bulk} />
      </Panel>
      <div className={own.sides}>
        <Panel title={t('facts')}>
          <Facts>
            <Fact label={t('column.by')}>{bulk.createdBy}</Fact>
            <Fact label={t('column.when')}>
              <TimeText at={bulk.createdAt} format="full" />
            </Fact>
            {bulk.finishedAt ? (
              <Fact label={t(bulk.state === 'CANCELLED' ? 'stopped' : 'ended')}>
                <TimeText at={bulk.finishedAt} format="full" />
              </Fact>
            ) : null}
            <Fact label={t('column.why')} wide>
              {bulk.reason || <span className={own.quiet}>{t('noReason')}</span>}
            </Fact>
          </Facts>
        </Panel>
        <Panel title={t('chosen.title')}>
          <Chosen selection={bulk.selection} deed={deedOf(bulk)} />
        </Panel>
      </div>
      {bulk.patch == null ? null : (
        <Panel title={t('edit.patchLabel')}>
          <JsonView value={bulk.patch} label={t('edit.patchLabel')} />
        </Panel>
      )}
      {bulk.parameters == null ? null : (
        <Panel title={t('edit.parametersLabel')}>
          <JsonView value={bulk.parameters} label={t('edit.parametersLabel')} />
        </Panel>
      )}
      <RefusalsPanel id={bulk.id} refusals={refusals} count={Number(bulk.refused)} />
    </>
  );
}
