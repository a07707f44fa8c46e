import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '@/components/ui/icon';
import type { TaskState } from '@/graphql/generated/enums';
import type { OverviewFieldsFragment } from '@/graphql/generated/graphql';
import classes from './overview.module.css';

const tasks = (state: TaskState) => ({ to: '/tasks' as const, search: { states: [state] } });

/** The live counters; each leads to what it counts. */
export function Counters({ overview }: { overview: OverviewFieldsFragment }) {
  const { t, i18n } = useTranslation('overview');
  const number = new Intl.NumberFormat(i18n.language);
  const failed = Number(overview.failedQueue);
  return (
    <dl className={classes.tiles}>
      <Tile
        icon="running"
        tone="run"
        label={<Link {...tasks('RUNNING')}>{t('running')}</Link>}
        value={number.format(Number(overview.running))}
        note={t('ofSlots', { slots: number.format(overview.slots) })}
      />
      <Tile
        icon="waiting"
        tone="wait"
        label={<Link {...tasks('WAITING')}>{t('waiting')}</Link>}
        value={number.format(Number(overview.waiting))}
      />
      <Tile
        icon="retrying"
        tone="retry"
        label={<Link {...tasks('RETRYING')}>{t('retrying')}</Link>}
        value={number.format(Number(overview.retrying))}
      />
      <Tile
        icon="failed"
        tone={failed > 0 ? 'fail' : 'wait'}
        label={<Link {...tasks('FAILED')}>{t('failedQueue')}</Link>}
        value={number.format(failed)}
        note={failed > 0 ? t('needsPerson') : t('nothingFailed')}
      />
      <Tile
        icon="jobs"
        tone="ok"
        label={
          <Link to="/jobs" search={{ status: 'enabled' }}>
            {t('activeJobs')}
          </Link>
        }
        value={number.format(overview.jobs)}
      />
    </dl>
  );
}

function Tile(props: {
  icon: IconName;
  tone: string;
  label: ReactNode;
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
