import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import { Page, Panel } from '@/components/ui/page';
import { Badge, type Look } from '@/components/ui/state-badge';
import { ErrorLine, ErrorState, SkeletonLines, SlowHint } from '@/components/ui/states';
import type { SecuritySeverity } from '@/graphql/generated/enums';
import type { SecurityFindingsQuery as Data } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { SecurityFindingsQuery } from './queries';
import classes from './security.module.css';

type Finding = Data['securityFindings'][number];

const looks: Record<SecuritySeverity, Look> = {
  HIGH: { tone: 'fail', icon: 'warning' },
  MEDIUM: { tone: 'retry', icon: 'warning' },
  LOW: { tone: 'wait', icon: 'info' },
};

/** What is weak in this installation, worst first, each with what to do about it. */
export function SecurityPage() {
  const { t } = useTranslation('security');
  const read = useRead({ query: SecurityFindingsQuery, variables: {} });
  const findings = read.data?.securityFindings;
  return (
    <Page title={t('title')} lead={t('lead')}>
      {read.error && findings ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {findings ? <Verdict findings={findings} /> : null}
      {findings?.length === 0 ? null : (
        <Panel title={t('list')} flush>
          <Content findings={findings} read={read} />
        </Panel>
      )}
      <p className={classes.note}>{t('doctor')}</p>
      <SlowHint slow={read.slow} />
    </Page>
  );
}

function Content({
  findings,
  read,
}: {
  findings: readonly Finding[] | undefined;
  read: ReturnType<typeof useRead<Data, Record<string, never>>>;
}) {
  if (findings) {
    return (
      <ul className={classes.findings}>
        {findings.map((finding) => (
          <FindingRow key={finding.code} finding={finding} />
        ))}
      </ul>
    );
  }
  if (read.error) return <ErrorState error={read.error} onRetry={read.refetch} />;
  return (
    <div className={classes.waiting}>
      <SkeletonLines lines={6} height={20} />
    </div>
  );
}

/** In one line how bad it is. */
function Verdict({ findings }: { findings: readonly Finding[] }) {
  const { t } = useTranslation('security');
  const high = findings.filter((finding) => finding.severity === 'HIGH').length;
  const tone = high > 0 ? 'fail' : findings.length > 0 ? 'retry' : 'ok';
  return (
    <section className={classes.verdict} data-tone={tone} aria-label={t('verdict.label')}>
      <Icon name={tone === 'ok' ? 'online' : 'warning'} size={26} />
      <div role="status">
        <h2>
          {high > 0
            ? t('verdict.high', { count: high })
            : findings.length > 0
              ? t('verdict.some', { count: findings.length })
              : t('verdict.none')}
        </h2>
        <p>{t(findings.length > 0 ? 'verdict.order' : 'verdict.nothing')}</p>
      </div>
    </section>
  );
}

function FindingRow({ finding }: { finding: Finding }) {
  const { t } = useTranslation('security');
  const { code, severity, subjects, count } = finding;
  const more = count - subjects.length;
  return (
    <li className={classes.finding}>
      <Badge look={looks[severity]} label={t(`severity.${severity}`)} />
      <div>
        <h3>{t(`what.${code}`)}</h3>
        {subjects.length > 0 ? (
          <ul className={classes.subjects} aria-label={t('about')}>
            {subjects.map((subject) => (
              <li key={subject}>{subject}</li>
            ))}
            {more > 0 ? <li>{t('more', { count: more })}</li> : null}
          </ul>
        ) : null}
        <p>
          <strong>{t('remedy')}</strong> {t(`remedies.${code}`)}
        </p>
      </div>
    </li>
  );
}
