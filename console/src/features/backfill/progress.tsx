import { useTranslation } from 'react-i18next';
import type { BackfillRowFragment } from '@/graphql/generated/graphql';
import own from './backfill.module.css';

type Counts = Pick<
  BackfillRowFragment,
  'total' | 'created' | 'present' | 'succeeded' | 'failed' | 'cancelled' | 'progress'
>;

const parts = ['succeeded', 'failed', 'cancelled', 'open', 'present'] as const;
export type Part = (typeof parts)[number];

/** How many fires of a backfill are in which part; `open` are made and not ended, what is left of the total is not made yet. */
export function shares(counts: Counts): Record<Part | 'total' | 'left', number> {
  const [total, created, present, succeeded, failed, cancelled] = [
    Number(counts.total),
    Number(counts.created),
    Number(counts.present),
    Number(counts.succeeded),
    Number(counts.failed),
    Number(counts.cancelled),
  ];
  const open = Math.max(0, created - succeeded - failed - cancelled);
  const left = Math.max(0, total - created - present);
  return { total, present, succeeded, failed, cancelled, open, left };
}

/** The whole range as one bar, by outcome, with the share in words. */
export function ProgressBar({ backfill, label }: { backfill: Counts; label: string }) {
  const { t } = useTranslation('backfill');
  const of = shares(backfill);
  const percent = Math.floor(100 * Math.min(1, Math.max(0, backfill.progress)));
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
        {of.total > 0
          ? parts.map((part) =>
              of[part] > 0 ? (
                <span
                  key={part}
                  data-part={part}
                  title={t(`part.${part}`)}
                  style={{ width: `${(100 * of[part]) / of.total}%` }}
                />
              ) : null,
            )
          : null}
      </span>
      <span className={own.percent}>{percent} %</span>
    </span>
  );
}
