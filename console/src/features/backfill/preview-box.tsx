import { useTranslation } from 'react-i18next';
import { DurationText } from '@/components/ui/duration-text';
import { Fact, Facts } from '@/components/ui/facts';
import { ErrorLine, Notice, SkeletonLines } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import own from './backfill.module.css';
import { type BackfillPreview, type LivePreview, toMake } from './use-preview';

interface PreviewBoxProps {
  preview: LivePreview;
  zone: string | null;
  onlyMissing: boolean;
}

/** What the backfill would do as the form stands. Keeps its height, so that nothing jumps while one types. */
export function PreviewBox({ preview, zone, onlyMissing }: PreviewBoxProps) {
  const { t } = useTranslation('backfill');
  const { data, error, fits } = preview;
  return (
    <section
      className={own.preview}
      aria-label={t('preview.title')}
      aria-busy={!fits && !error}
      data-bf-again={!fits}
    >
      {error ? <ErrorLine error={error} /> : null}
      {!error && !preview.asked ? <p className={own.quiet}>{t('preview.incomplete')}</p> : null}
      {!error && preview.asked && !data ? <SkeletonLines lines={4} /> : null}
      {!error && preview.asked && data && !data.error ? (
        <Told data={data} zone={zone} onlyMissing={onlyMissing} />
      ) : null}
      {!error && data?.error ? <p className={own.quiet}>{t('preview.refused')}</p> : null}
    </section>
  );
}

function Told(props: { data: BackfillPreview; zone: string | null; onlyMissing: boolean }) {
  const { t, i18n } = useTranslation('backfill');
  const { data, zone } = props;
  const number = new Intl.NumberFormat(i18n.language);
  const total = Number(data.total);
  const make = toMake(data, props.onlyMissing);
  if (total === 0) return <p className={own.quiet}>{t('preview.none')}</p>;
  return (
    <>
      <p className={own.headline} role="status">
        {t(data.atLeast ? 'preview.atLeast' : 'preview.makes', {
          count: make,
          shown: number.format(make),
        })}
      </p>
      <Facts>
        <Fact label={t('preview.total')}>
          {data.atLeast ? '≥ ' : ''}
          {number.format(total)}
        </Fact>
        <Fact label={t('preview.present')}>
          {number.format(Number(data.present))}
          {Number(data.present) > 0 ? (
            <span className={own.quiet}>
              {' '}
              {t(props.onlyMissing ? 'preview.left' : 'preview.again')}
            </span>
          ) : null}
        </Fact>
        <Fact label={t('preview.first')}>
          <TimeText at={data.first} jobZone={zone} format="full" />
        </Fact>
        <Fact label={t('preview.last')}>
          <TimeText at={data.last} jobZone={zone} format="full" />
        </Fact>
        <Fact label={t('preview.duration')}>
          <DurationText value={data.duration} />
        </Fact>
      </Facts>
      {data.sample.length > 0 ? (
        <details className={own.sample}>
          <summary>{t('preview.sample', { count: data.sample.length })}</summary>
          <ol>
            {data.sample.map((at) => (
              <li key={at}>
                <TimeText at={at} jobZone={zone} format="full" />
              </li>
            ))}
          </ol>
        </details>
      ) : null}
      {data.warnings.map((warning) => (
        <Notice key={warning} tone="retry">
          {warning}
        </Notice>
      ))}
    </>
  );
}
