import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from './dependency.module.css';
import { layersOf, most, type Neighbours, type PictureJob } from './picture';

/** The jobs around a job for a narrow screen: its layers from the first to the last, an arrow between them. */
export function NeighboursList({ neighbours }: { neighbours: Neighbours }) {
  const { t } = useTranslation('editor');
  return (
    <ol
      className={classes.layers}
      aria-label={`${t('dep.picture')}. ${t('dep.words', {
        upstream: neighbours.upstream.length,
        downstream: neighbours.downstream.length,
      })}`}
    >
      {layersOf(neighbours).map((layer) =>
        layer.id === 'self' ? (
          <li key={layer.id} data-self>
            <strong>{neighbours.self.name || t('dep.self')}</strong>
          </li>
        ) : (
          <li key={layer.id}>
            <Jobs title={t(`dep.layer.${layer.id}`)} jobs={layer.jobs} />
          </li>
        ),
      )}
    </ol>
  );
}

function Jobs({ title, jobs }: { title: string; jobs: readonly PictureJob[] }) {
  const { t } = useTranslation('editor');
  const rest = jobs.length - most;
  return (
    <>
      <span className={classes.layerTitle}>{title}</span>
      <ul>
        {jobs.slice(0, most).map((job) => (
          <li key={job.id}>
            <Link to="/jobs/$jobId" params={{ jobId: job.id }}>
              <span>{job.app} / </span>
              {job.name}
            </Link>
          </li>
        ))}
        {rest > 0 ? <li>{t('dep.more', { count: rest })}</li> : null}
      </ul>
    </>
  );
}
