import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ActionIconButton } from '@/components/ui/action-button';
import type { Column } from '@/components/ui/data-table';
import { TimeText } from '@/components/ui/time-text';
import own from '@/features/alerts/alerts.module.css';
import {
  FlappingBadge,
  IncidentStateBadge,
  SeverityBadge,
  SilencedBadge,
} from '@/features/alerts/badges';
import type { IncidentRowFragment } from '@/graphql/generated/graphql';
import type { Doing } from './deed-dialog';
import { can } from './deeds';
import classes from './incidents.module.css';
import { SubjectText } from './subject';

interface Deeds {
  onDo: (doing: Doing) => void;
  onSilence: (incident: IncidentRowFragment) => void;
}

/** The columns of the list of incidents. */
export function useIncidentColumns(deeds: Deeds): Column<IncidentRowFragment>[] {
  const { t, i18n } = useTranslation('alerts');
  const number = new Intl.NumberFormat(i18n.language);
  return [
    {
      id: 'title',
      header: t('column.title'),
      title: true,
      width: '24%',
      cell: (incident) => (
        <Link
          to="/alerts/incidents/$incidentId"
          params={{ incidentId: incident.id }}
          className={classes.title}
        >
          {incident.title}
        </Link>
      ),
    },
    {
      id: 'severity',
      header: t('column.severity'),
      width: '100px',
      cell: (incident) => <SeverityBadge severity={incident.severity} />,
    },
    {
      id: 'state',
      header: t('column.state'),
      width: '126px',
      cell: (incident) => <StateBadges incident={incident} />,
    },
    {
      id: 'subject',
      header: t('column.subject'),
      width: '15%',
      cell: (incident) => <SubjectText incident={incident} />,
    },
    {
      id: 'since',
      header: t('column.since'),
      width: '130px',
      cell: (incident) => (
        <>
          <TimeText at={incident.openedAt} jobZone={incident.job?.trigger.zone} />
          <span className={own.sub}>
            {t('column.last')} <TimeText at={incident.lastAt} format="relative" />
          </span>
        </>
      ),
    },
    {
      id: 'count',
      header: t('column.count'),
      width: '60px',
      align: 'end',
      cell: (incident) => number.format(Number(incident.count)),
    },
    {
      id: 'error',
      header: t('column.error'),
      span: true,
      cell: (incident) =>
        incident.lastError ? (
          <span className={classes.error} title={incident.lastError}>
            {incident.lastError.split('\n', 1)[0]}
          </span>
        ) : null,
    },
    {
      id: 'actions',
      header: t('column.actions'),
      width: '100px',
      align: 'end',
      bare: true,
      cell: (incident) => <RowActions incident={incident} {...deeds} />,
    },
  ];
}

export function StateBadges({ incident }: { incident: IncidentRowFragment }) {
  return (
    <span className={classes.badges}>
      <IncidentStateBadge state={incident.state} />
      {incident.flapping ? <FlappingBadge /> : null}
      {incident.silencedBy ? <SilencedBadge /> : null}
    </span>
  );
}

function RowActions({ incident, onDo, onSilence }: Deeds & { incident: IncidentRowFragment }) {
  const { t } = useTranslation('alerts');
  if (incident.state === 'RESOLVED') return null;
  return (
    <span className={classes.actions}>
      {can('acknowledge', incident.state) ? (
        <ActionIconButton
          atLeast="OPERATOR"
          icon="user"
          label={t('deed.acknowledge')}
          onClick={() => onDo({ deed: 'acknowledge', incidents: [incident] })}
        />
      ) : null}
      <ActionIconButton
        atLeast="OPERATOR"
        icon="check"
        label={t('deed.resolve')}
        onClick={() => onDo({ deed: 'resolve', incidents: [incident] })}
      />
      <ActionIconButton
        atLeast="OPERATOR"
        icon="silence"
        label={t('deed.silence')}
        onClick={() => onSilence(incident)}
      />
    </span>
  );
}
