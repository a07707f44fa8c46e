import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DurationText, ElapsedText } from '@/components/ui/duration-text';
import { Fact, Facts } from '@/components/ui/facts';
import { Page, Panel } from '@/components/ui/page';
import {
  EmptyState,
  ErrorLine,
  ErrorState,
  Notice,
  SkeletonLines,
  SlowHint,
} from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import { SeverityBadge } from '@/features/alerts/badges';
import type { IncidentDetailFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import { useLive, useThrottled } from '@/live/hooks';
import { AttemptsPanel } from './attempts-panel';
import { StateBadges } from './columns';
import { IncidentActions } from './incident-actions';
import classes from './incidents.module.css';
import { NotesPanel } from './notes-panel';
import { IncidentQuery, IncidentTouched } from './queries';
import type { Ask } from './search';
import { SubjectText } from './subject';
import { TimelinePanel } from './timeline-panel';

interface IncidentPageProps {
  id: string;
  /** The dialog that the address opens, as links in messages do. */
  ask: Ask | undefined;
  onAsked: () => void;
}

/** One incident, live: what, since when, how often, what was done and who was told. */
export function IncidentPage({ id, ask, onAsked }: IncidentPageProps) {
  const { t } = useTranslation('alerts');
  const read = useRead({ query: IncidentQuery, variables: { id } });
  const incident = read.data?.incident;
  const reread = useThrottled(read.refetch, 2_000);
  useLive({
    query: IncidentTouched,
    variables: { filter: incident ? { job: incident.job?.id ?? null } : null },
    skip: !incident,
    onEvent: ({ incidentChanged }) => {
      if (incidentChanged.id === id) reread();
    },
  });
  const missing = read.data !== undefined && !incident && !read.refreshing && !read.error;
  return (
    <Page
      title={incident?.title ?? t('one')}
      crumbs={<Link to="/alerts">{t('title')}</Link>}
      badge={
        incident ? (
          <>
            <SeverityBadge severity={incident.severity} />
            <StateBadges incident={incident} />
          </>
        ) : null
      }
      actions={
        incident ? <IncidentActions incident={incident} ask={ask} onAsked={onAsked} /> : null
      }
    >
      {read.error && incident ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {read.error && !incident ? <ErrorState error={read.error} onRetry={read.refetch} /> : null}
      {missing ? (
        <EmptyState icon="alerts" title={t('missing.title')}>
          {t('missing.text')}
        </EmptyState>
      ) : null}
      {incident ? (
        <Loaded incident={incident} />
      ) : read.error || missing ? null : (
        <Panel>
          <SkeletonLines lines={10} />
        </Panel>
      )}
      <SlowHint slow={read.slow} />
    </Page>
  );
}

function Loaded({ incident }: { incident: IncidentDetailFragment }) {
  const { t } = useTranslation('alerts');
  const { silencedBy, flapping } = incident;
  return (
    <>
      {silencedBy ? (
        <Notice tone="info">
          {t('silencedText', { reason: silencedBy.reason })}{' '}
          {silencedBy.activeUntil ? (
            <>
              {t('until')} <TimeText at={silencedBy.activeUntil} />
            </>
          ) : null}{' '}
          <Link to="/alerts/silences" className={classes.inText}>
            {t('tabs.silences')}
          </Link>
        </Notice>
      ) : null}
      {flapping ? <Notice tone="retry">{t('flappingText')}</Notice> : null}
      <div className={classes.columns}>
        <div className={classes.main}>
          <WhatPanel incident={incident} />
          {incident.lastTask ? <AttemptsPanel incident={incident} /> : null}
          <TimelinePanel incident={incident} />
        </div>
        <div className={classes.side}>
          <NotesPanel incident={incident} />
        </div>
      </div>
    </>
  );
}

function WhatPanel({ incident }: { incident: IncidentDetailFragment }) {
  const { t, i18n } = useTranslation('alerts');
  const zone = incident.job?.trigger.zone;
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <Panel title={t('what')}>
      <div className={classes.stack}>
        {incident.lastError ? <pre className={classes.big}>{incident.lastError}</pre> : null}
        <Facts>
          <Fact label={t('column.subject')}>
            <SubjectText incident={incident} />
          </Fact>
          <Fact label={t('column.event')}>{t(`event.${incident.event}`)}</Fact>
          <Fact label={t('column.since')}>
            <TimeText at={incident.openedAt} jobZone={zone} format="full" />
          </Fact>
          <Fact label={t('column.last')}>
            <TimeText at={incident.lastAt} jobZone={zone} format="full" />
          </Fact>
          <Fact label={t('column.count')}>{number.format(Number(incident.count))}</Fact>
          <Fact label={t(incident.state === 'RESOLVED' ? 'downtime' : 'lasting')}>
            {incident.state === 'RESOLVED' ? (
              <DurationText value={incident.downtime} />
            ) : (
              <ElapsedText since={incident.openedAt} />
            )}
          </Fact>
          <Fact label={t('column.rule')}>
            {incident.rule ? (
              <Link to="/alerts/rules/$ruleId" params={{ ruleId: incident.rule.id }}>
                {incident.rule.name}
              </Link>
            ) : (
              t('ruleGone')
            )}
          </Fact>
          {incident.acknowledgedAt ? (
            <Fact label={t('acknowledged')}>
              {incident.acknowledgedBy} · <TimeText at={incident.acknowledgedAt} jobZone={zone} />
            </Fact>
          ) : null}
          {incident.resolvedAt ? (
            <Fact label={t('resolved')}>
              <TimeText at={incident.resolvedAt} jobZone={zone} format="full" />
            </Fact>
          ) : null}
          {incident.resolution ? <Fact label={t('resolution')}>{incident.resolution}</Fact> : null}
        </Facts>
      </div>
    </Panel>
  );
}
