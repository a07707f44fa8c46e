import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import own from '@/features/alerts/alerts.module.css';
import type { IncidentRowFragment } from '@/graphql/generated/graphql';

/** What an incident is about: a job, a node, a group or a server, linked. */
export function SubjectText({ incident }: { incident: IncidentRowFragment }) {
  const { t } = useTranslation('alerts');
  const { job, node, group, server } = incident;
  if (job) {
    return (
      <span>
        <Link to="/jobs/$jobId" params={{ jobId: job.id }}>
          {job.name}
        </Link>
        <span className={own.sub}>{job.app.name}</span>
      </span>
    );
  }
  if (node || group) {
    const place = group ? `${group.app.name} / ${group.name}` : '';
    return (
      <span>
        <Link to="/nodes" search={group ? { group: group.id } : {}}>
          {node?.name ?? place}
        </Link>
        {node && group ? <span className={own.sub}>{place}</span> : null}
      </span>
    );
  }
  if (server) return <Link to="/servers">{server}</Link>;
  return <Link to="/servers">{t('subject.cluster')}</Link>;
}
