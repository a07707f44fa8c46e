import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '@/components/ui/icon';
import { TaskStateBadge, type Tone } from '@/components/ui/state-badge';
import { TimeText } from '@/components/ui/time-text';
import type { WhyCode } from '@/graphql/generated/enums';
import type { WhyNotRunQuery } from '@/graphql/generated/graphql';
import classes from './why.module.css';

type Why = WhyNotRunQuery['whyNotRun'];

const good: Partial<Record<WhyCode, [Tone, IconName]>> = {
  RAN: ['ok', 'check'],
  WILL_RUN: ['run', 'clock'],
  WAITING: ['wait', 'waiting'],
  RUNNING: ['run', 'running'],
  NO_FIRE: ['wait', 'info'],
  MOVED: ['run', 'dispatched'],
};
const bad: Partial<Record<WhyCode, [Tone, IconName]>> = {
  FAILED: ['fail', 'failed'],
  INVALID_TRIGGER: ['fail', 'warning'],
  SERVER_LATE: ['fail', 'timedOut'],
  NO_WORKER: ['fail', 'lost'],
  CANCELLED: ['stop', 'cancelled'],
  DELETED: ['stop', 'trash'],
};

/** The server's answer: the sentence, what it rests on, the task, and the fires before and after. */
export function WhyAnswer(props: {
  why: Why;
  at: string;
  zone: string | null;
  onAsk: (at: string) => void;
}) {
  const { t } = useTranslation('why');
  const { why, zone } = props;
  const [tone, icon] = good[why.code] ?? bad[why.code] ?? ['retry', 'skipped'];
  return (
    <div className={classes.answer}>
      <div className={classes.verdict} data-tone={tone}>
        <Icon name={icon} size={18} />
        <div>
          <h3>
            {t(`code.${why.code}`)}
            <span className={classes.instant}>
              <TimeText at={props.at} jobZone={zone} format="full" />
            </span>
          </h3>
          <p>{why.answer}</p>
        </div>
      </div>
      {why.task ? (
        <p className={classes.task}>
          <TaskStateBadge state={why.task.state} />
          <Link to="/tasks/$taskId" params={{ taskId: why.task.id }}>
            {t('task')}
          </Link>
          <code>{why.task.id}</code>
        </p>
      ) : null}
      {why.evidence.length > 0 ? (
        <div>
          <h3 className={classes.sub}>{t('evidence')}</h3>
          <ol className={classes.evidence}>
            {why.evidence.map((each) => (
              <li key={`${each.at} ${each.message}`}>
                <TimeText at={each.at} jobZone={zone} format="full" empty={t('noInstant')} />
                <span>{each.message}</span>
              </li>
            ))}
          </ol>
        </div>
      ) : null}
      <div className={classes.around}>
        <Fire
          label={t('previous')}
          none={t('noPrevious')}
          at={why.previousFire}
          zone={zone}
          onAsk={props.onAsk}
        />
        <Fire
          label={t('next')}
          none={t('noNext')}
          at={why.nextFire}
          zone={zone}
          onAsk={props.onAsk}
        />
      </div>
    </div>
  );
}

function Fire(props: {
  label: string;
  none: string;
  at: string | null;
  zone: string | null;
  onAsk: (at: string) => void;
}) {
  const { t } = useTranslation('why');
  const { at } = props;
  return (
    <div>
      <span className={classes.sub}>{props.label}</span>
      {at ? (
        <>
          <TimeText at={at} jobZone={props.zone} format="both" />
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`${t('askThis')}: ${props.label}`}
            onClick={() => props.onAsk(at)}
          >
            {t('askThis')}
          </Button>
        </>
      ) : (
        <span className={classes.hint}>{props.none}</span>
      )}
    </div>
  );
}
