import { useTranslation } from 'react-i18next';
import { ErrorLine, SkeletonLines, SlowHint } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import own from './bulk.module.css';
import type { LivePreview } from './use-preview';

/** How many tasks are meant, and as of when. Keeps its height, so that nothing jumps. */
export function PreviewBox({ preview }: { preview: LivePreview }) {
  const { t, i18n } = useTranslation('bulk');
  const { data, error, ready } = preview;
  const total = Number(data?.total ?? 0);
  const shown = new Intl.NumberFormat(i18n.language).format(total);
  const headline = (): string => {
    if (!data) return '';
    if (data.more) return t('preview.more', { shown });
    if (total === 0) return t('preview.none');
    return data.error?.message ?? t('preview.count', { count: total, shown });
  };
  return (
    <section
      className={own.preview}
      aria-label={t('preview.title')}
      aria-busy={!ready && !error}
      data-bf-again={!ready && !error}
    >
      {error ? <ErrorLine error={error} onRetry={preview.again} /> : null}
      {!error && !data ? <SkeletonLines lines={2} /> : null}
      {!error && data ? (
        <>
          <p className={own.headline} role="status">
            {headline()}
          </p>
          <p className={own.quiet}>
            {t('chosen.asOf')} <TimeText at={data.asOf} format="full" />
            {' · '}
            <button type="button" className={own.link} disabled={!ready} onClick={preview.again}>
              {t('preview.again')}
            </button>
          </p>
        </>
      ) : null}
      {preview.slow ? <SlowHint slow /> : null}
    </section>
  );
}
