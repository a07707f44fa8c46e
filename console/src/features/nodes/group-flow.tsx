import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ElapsedText } from '@/components/ui/duration-text';
import { Notice } from '@/components/ui/states';
import type { GroupLimit } from '@/graphql/generated/enums';
import type { GroupCardFragment } from '@/graphql/generated/graphql';
import { formatDuration, parseDuration } from '@/time/duration';
import classes from './flow.module.css';

/** What goes on in a group now: what is due, what runs, how fast it is released, when the line is gone. */
export function GroupFlow({ group }: { group: GroupCardFragment }) {
  const { t, i18n } = useTranslation('nodes');
  const number = new Intl.NumberFormat(i18n.language);
  const due = Number(group.due);
  const running = Number(group.running);
  const places = group.maxRunning === null ? group.slots : Math.min(group.slots, group.maxRunning);
  return (
    <>
      <dl className={classes.flow}>
        <Figure
          label={t('flow.due')}
          value={number.format(due)}
          tone={due > 0 ? toneOf(group.limitedBy) : undefined}
          hint={
            group.oldestDueAt ? (
              <>
                {t('flow.oldest')} <ElapsedText since={group.oldestDueAt} />
              </>
            ) : (
              t('flow.nothing')
            )
          }
        />
        <Figure
          label={t('running')}
          value={
            <Link to="/tasks" search={{ group: group.id, states: ['RUNNING'] }}>
              {number.format(running)}
            </Link>
          }
          hint={t('ofSlots', { count: group.slots })}
          share={places > 0 ? running / places : null}
        />
        <Figure
          label={t('flow.released')}
          value={number.format(group.releasedLastSecond)}
          hint={
            group.releaseRate === null
              ? t('flow.noRate')
              : t('flow.ofRate', { rate: number.format(group.releaseRate) })
          }
          share={group.releaseRate === null ? null : group.releasedLastSecond / group.releaseRate}
        />
        <Figure
          label={t('flow.drains')}
          value={due === 0 ? '—' : <Drains value={group.drainsIn} />}
          hint={due === 0 ? t('flow.nothing') : (group.drainsNote ?? t('flow.drainsHint'))}
        />
      </dl>
      {group.limitedBy ? <Limit group={group} limit={group.limitedBy} /> : null}
    </>
  );
}

/** No node at all is an outage; the others only say what sets the pace. */
function toneOf(limit: GroupLimit | null): 'fail' | 'retry' | undefined {
  if (limit === 'NO_NODES') return 'fail';
  return limit === null ? undefined : 'retry';
}

function Drains({ value }: { value: string | null }) {
  const { t } = useTranslation('nodes');
  const ms = value === null ? null : parseDuration(value);
  return ms === null
    ? t('flow.unknown')
    : t('flow.about', { time: formatDuration(Math.max(1_000, Math.round(ms / 1_000) * 1_000)) });
}

function Figure(props: {
  label: string;
  value: ReactNode;
  hint: ReactNode;
  tone?: 'fail' | 'retry' | undefined;
  /** How much of what is possible is used, from 0 to 1; null when there is no bound. */
  share?: number | null;
}) {
  return (
    <div data-tone={props.tone}>
      <dt>{props.label}</dt>
      <dd>
        <span className={classes.value}>{props.value}</span>
        {props.share == null ? null : (
          <span className={classes.track} aria-hidden="true">
            <span style={{ width: `${Math.min(100, Math.round(100 * props.share))}%` }} />
          </span>
        )}
        <span className={classes.hint}>{props.hint}</span>
      </dd>
    </div>
  );
}

/** What holds the due tasks up, and what to do about it. */
function Limit({ group, limit }: { group: GroupCardFragment; limit: GroupLimit }) {
  const { t, i18n } = useTranslation('nodes');
  const number = new Intl.NumberFormat(i18n.language);
  const values = {
    slots: number.format(group.slots),
    most: number.format(group.maxRunning ?? 0),
    rate: number.format(group.releaseRate ?? 0),
    count: Number(group.due),
    shown: number.format(Number(group.due)),
  };
  return (
    <div className={classes.limit}>
      <Notice tone={limit === 'NO_NODES' ? 'fail' : 'retry'}>
        <strong>{t(`limit.${limit}.what`, values)}</strong> {t(`limit.${limit}.remedy`, values)}
      </Notice>
    </div>
  );
}
