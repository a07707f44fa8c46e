import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '@/components/ui/icon';
import type { OverviewFieldsFragment } from '@/graphql/generated/graphql';
import classes from './overview.module.css';

/** The live counters. */
export function Counters({ overview }: { overview: OverviewFieldsFragment }) {
  const { t, i18n } = useTranslation('overview');
  const number = new Intl.NumberFormat(i18n.language);
  const failed = Number(overview.failedQueue);
  return (
    <dl className={classes.tiles}>
      <Tile
        icon="running"
        tone="run"
        label={t('running')}
        value={number.format(Number(overview.running))}
        note={t('ofSlots', { slots: number.format(overview.slots) })}
      />
      <Tile
        icon="waiting"
        tone="wait"
        label={t('waiting')}
        value={number.format(Number(overview.waiting))}
      />
      <Tile
        icon="retrying"
        tone="retry"
        label={t('retrying')}
        value={number.format(Number(overview.retrying))}
      />
      <Tile
        icon="failed"
        tone={failed > 0 ? 'fail' : 'wait'}
        label={t('failedQueue')}
        value={number.format(failed)}
        note={failed > 0 ? t('needsPerson') : t('nothingFailed')}
      />
      <Tile icon="jobs" tone="ok" label={t('activeJobs')} value={number.format(overview.jobs)} />
    </dl>
  );
}

function Tile(props: {
  icon: IconName;
  tone: string;
  label: string;
  value: string;
  note?: string;
}) {
  return (
    <div className={classes.tile} data-tone={props.tone}>
      <dt>
        <Icon name={props.icon} size={14} />
        {props.label}
      </dt>
      <dd>
        <span className={classes.value}>{props.value}</span>
        {props.note ? <span className={classes.note}>{props.note}</span> : null}
      </dd>
    </div>
  );
}
