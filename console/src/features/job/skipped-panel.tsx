import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '@/components/ui/data-table';
import { Panel } from '@/components/ui/page';
import { TimeText } from '@/components/ui/time-text';
import type { JobDetailFragment } from '@/graphql/generated/graphql';
import classes from './job.module.css';
import { WhyLink } from './why-link';

type Skipped = JobDetailFragment['skippedFires'][number];

/** Fires that never became a task, with the reason. Not shown while there are none. */
export function SkippedPanel({
  jobId,
  skipped,
  zone,
}: {
  jobId: string;
  skipped: readonly Skipped[];
  zone: string | null;
}) {
  const { t, i18n } = useTranslation('job');
  if (skipped.length === 0) return null;
  const format = new Intl.NumberFormat(i18n.language);
  const columns: Column<Skipped>[] = [
    {
      id: 'first',
      header: t('skipped.first'),
      title: true,
      width: '150px',
      cell: (s) => <TimeText at={s.firstAt} jobZone={zone} />,
    },
    {
      id: 'last',
      header: t('skipped.last'),
      width: '150px',
      cell: (s) => <TimeText at={s.lastAt} jobZone={zone} />,
    },
    {
      id: 'count',
      header: t('skipped.count'),
      align: 'end',
      width: '80px',
      cell: (s) => format.format(Number(s.count)),
    },
    { id: 'reason', header: t('skipped.reason'), cell: (s) => <Reason skipped={s} /> },
    {
      id: 'why',
      header: t('skipped.why'),
      bare: true,
      align: 'end',
      width: '90px',
      cell: (s) => <WhyLink jobId={jobId} at={s.lastAt} zone={zone} />,
    },
  ];
  return (
    <Panel title={t('skipped.title')} flush>
      <DataTable
        label={t('skipped.title')}
        columns={columns}
        rows={skipped}
        rowKey={(s) => `${s.firstAt} ${s.reason}`}
        empty={null}
      />
    </Panel>
  );
}

/** Reasons with words of our own; for others the server's sentence stands alone. */
const known = [
  'MISFIRE_SKIPPED',
  'MISFIRE_COALESCED',
  'MISFIRE_LIMIT',
  'PAUSED',
  'INVALID_TRIGGER',
  'CALENDAR_REST_DAY',
  'CALENDAR_QUIET',
] as const;

function Reason({ skipped }: { skipped: Skipped }) {
  const { t } = useTranslation('job');
  const code = known.find((each) => each === skipped.reason);
  return (
    <span className={classes.reason}>
      {code ? <strong>{t(`skipped.code.${code}`)}</strong> : null}
      <span>{skipped.message}</span>
    </span>
  );
}
