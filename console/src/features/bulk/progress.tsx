import { useTranslation } from 'react-i18next';
import type { BulkRowFragment } from '@/graphql/generated/graphql';
import own from './bulk.module.css';

type Counts = Pick<BulkRowFragment, 'total' | 'done' | 'refused' | 'progress'>;

/** How far an operation is: what is done and what was refused, of all, with the share in words. */
export function ProgressBar({ bulk, label }: { bulk: Counts; label: string }) {
  const { t } = useTranslation('bulk');
  const total = Number(bulk.total);
  const percent = Math.floor(100 * Math.min(1, Math.max(0, bulk.progress)));
  const part = (name: 'done' | 'refused') => {
    const count = Number(bulk[name]);
    if (count === 0 || total === 0) return null;
    const width = `${(100 * count) / total}%`;
    return <span data-part={name} title={t(`part.${name}`)} style={{ width }} />;
  };
  return (
    <span className={own.progress}>
      <span
        className={own.bar}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        {part('done')}
        {part('refused')}
      </span>
      <span className={own.percent}>{percent} %</span>
    </span>
  );
}

/** The same in numbers. */
export function Counts({ bulk }: { bulk: Counts }) {
  const { t, i18n } = useTranslation('bulk');
  const number = new Intl.NumberFormat(i18n.language);
  const [total, done, refused] = [Number(bulk.total), Number(bulk.done), Number(bulk.refused)];
  const of = { total, done, refused, left: Math.max(0, total - done - refused) };
  return (
    <dl className={own.counts}>
      {(['total', 'done', 'refused', 'left'] as const).map((name) => (
        <div key={name} data-part={name}>
          <dt>{t(`part.${name}`)}</dt>
          <dd>{number.format(of[name])}</dd>
        </div>
      ))}
    </dl>
  );
}
