import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DurationText } from '@/components/ui/duration-text';
import { Panel } from '@/components/ui/page';
import { TimeText } from '@/components/ui/time-text';
import type { ReportLineFieldsFragment } from '@/graphql/generated/graphql';
import classes from './reports.module.css';

interface ReportLinesProps {
  kind: 'failures' | 'missed' | 'slow' | 'running';
  lines: readonly ReportLineFieldsFragment[];
  /** How many there are; the server sends the first twenty. */
  total: number;
}

/** One list of the report; every line leads to its task or job. */
export function ReportLines({ kind, lines, total }: ReportLinesProps) {
  const { t } = useTranslation('reports');
  return (
    <Panel title={t(`list.${kind}`)}>
      {lines.length === 0 ? <p className={classes.quiet}>{t(`noneOf.${kind}`)}</p> : null}
      <ul className={classes.lines}>
        {lines.map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be alike, and the list is never reordered
          <li key={i}>
            <Line line={line} kind={kind} />
          </li>
        ))}
      </ul>
      {total > lines.length && lines.length > 0 ? (
        <p className={classes.quiet}>{t('more', { count: total - lines.length })}</p>
      ) : null}
    </Panel>
  );
}

function Line({ line, kind }: { line: ReportLineFieldsFragment; kind: ReportLinesProps['kind'] }) {
  const { t } = useTranslation('reports');
  const count = Number(line.count);
  return (
    <>
      <span className={classes.head}>
        <Name line={line} />
        <span className={classes.quiet}>{line.job?.app.name}</span>
        {count > 1 ? <span className={classes.quiet}>{t('times', { count })}</span> : null}
        {line.at ? (
          <span className={classes.quiet}>
            <TimeText at={line.at} jobZone={line.job?.trigger.zone} />
          </span>
        ) : null}
        {line.duration && kind !== 'failures' ? (
          <span>
            <DurationText value={line.duration} />
            {line.usual ? (
              <span className={classes.quiet}>
                {' '}
                {t('usually')} <DurationText value={line.usual} />
              </span>
            ) : null}
          </span>
        ) : null}
      </span>
      {line.error ? <code className={classes.error}>{line.error.split('\n', 1)[0]}</code> : null}
    </>
  );
}

function Name({ line }: { line: ReportLineFieldsFragment }) {
  const { t } = useTranslation('reports');
  if (line.task) {
    return (
      <Link to="/tasks/$taskId" params={{ taskId: line.task.id }}>
        {line.job?.name ?? line.task.id}
      </Link>
    );
  }
  if (!line.job) return <span>{t('jobGone')}</span>;
  return (
    <Link to="/jobs/$jobId" params={{ jobId: line.job.id }}>
      {line.job.name}
    </Link>
  );
}
