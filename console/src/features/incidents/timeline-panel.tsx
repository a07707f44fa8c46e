import { Button, Textarea } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { Icon, type IconName } from '@/components/ui/icon';
import { Panel } from '@/components/ui/page';
import type { Tone } from '@/components/ui/state-badge';
import { ErrorLine, SkeletonLines } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { IncidentEntryKind } from '@/graphql/generated/enums';
import type { EntryRowFragment, IncidentDetailFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useRead } from '@/graphql/use-read';
import { RoleGuard } from '@/session/role';
import classes from './incidents.module.css';
import { CommentIncident, IncidentTimelineQuery } from './queries';

/** Entries of a page; the timeline has 500 at most. */
const step = 100;

const looks: Record<IncidentEntryKind, { icon: IconName; tone: Tone | null }> = {
  OPENED: { icon: 'alerts', tone: 'fail' },
  EVENT: { icon: 'failed', tone: 'fail' },
  ACKNOWLEDGED: { icon: 'user', tone: 'run' },
  UNACKNOWLEDGED: { icon: 'user', tone: 'retry' },
  ESCALATED: { icon: 'warning', tone: 'retry' },
  NOTIFIED: { icon: 'send', tone: 'run' },
  SUPPRESSED: { icon: 'silence', tone: 'stop' },
  SILENCED: { icon: 'silence', tone: 'stop' },
  FLAPPING: { icon: 'retrying', tone: 'retry' },
  RECOVERED: { icon: 'check', tone: 'ok' },
  RESOLVED: { icon: 'check', tone: 'ok' },
  REOPENED: { icon: 'alerts', tone: 'fail' },
  COMMENT: { icon: 'comment', tone: null },
};

/** All that happened, oldest first, and a place to say what one found. */
export function TimelinePanel({ incident }: { incident: IncidentDetailFragment }) {
  const { t } = useTranslation('alerts');
  const [pages, setPages] = useState<readonly (string | null)[]>([null]);
  const [said, setSaid] = useState(0);
  const moved = `${incident.lastAt} ${incident.count} ${incident.state} ${incident.notifications.length} ${said}`;
  return (
    <Panel title={t('timeline.title')}>
      {pages.map((after, i) => (
        <TimelinePage
          key={after ?? ''}
          incident={incident}
          after={after}
          moved={moved}
          onMore={i === pages.length - 1 ? (cursor) => setPages([...pages, cursor]) : null}
        />
      ))}
      <RoleGuard atLeast="OPERATOR">
        <CommentForm id={incident.id} onSaid={() => setSaid(said + 1)} />
      </RoleGuard>
    </Panel>
  );
}

interface TimelinePageProps {
  incident: IncidentDetailFragment;
  after: string | null;
  /** Changes whenever the incident has moved on: the page is read again. */
  moved: string;
  /** Shows the page after the cursor; null when it is shown. */
  onMore: ((cursor: string) => void) | null;
}

function TimelinePage({ incident, after, moved, onMore }: TimelinePageProps) {
  const { t } = useTranslation('alerts');
  const read = useRead({
    query: IncidentTimelineQuery,
    variables: { id: incident.id, first: step, after },
  });
  const [seen, setSeen] = useState(moved);
  if (seen !== moved) {
    setSeen(moved);
    queueMicrotask(read.refetch);
  }
  const page = read.data?.incident?.timeline;
  const next = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  return (
    <>
      {read.error ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {page ? (
        <ol className={classes.timeline}>
          {page.nodes.map((entry) => (
            <Entry key={entry.id} entry={entry} zone={incident.job?.trigger.zone} />
          ))}
        </ol>
      ) : read.error ? null : (
        <SkeletonLines lines={5} />
      )}
      {next && onMore ? (
        <Button className={classes.more} variant="default" onClick={() => onMore(next)}>
          {t('timeline.more')}
        </Button>
      ) : null}
    </>
  );
}

function Entry({ entry, zone }: { entry: EntryRowFragment; zone: string | null | undefined }) {
  const { t } = useTranslation('alerts');
  const look = looks[entry.kind];
  return (
    <li data-tone={look.tone ?? undefined}>
      <Icon name={look.icon} size={14} />
      <span className={classes.when}>
        <TimeText at={entry.at} jobZone={zone} />
      </span>
      <span className={classes.entry}>
        <span className={classes.kind}>{t(`entry.${entry.kind}`)}</span> {entry.message}
        {entry.node ? <span className={classes.quiet}> {entry.node}</span> : null}
        {entry.actor ? <span className={classes.quiet}> {entry.actor}</span> : null}
        {entry.task ? (
          <>
            {' '}
            <Link to="/tasks/$taskId" params={{ taskId: entry.task.id }}>
              {t('timeline.task')}
            </Link>
          </>
        ) : null}
      </span>
    </li>
  );
}

function CommentForm({ id, onSaid }: { id: string; onSaid: () => void }) {
  const { t } = useTranslation('alerts');
  const [text, setText] = useState('');
  const action = useMutationAction(CommentIncident, {
    pick: (data) => data.commentIncident,
    refusals: 'form',
  });
  const say = async () => {
    const { payload } = await action.run({ id, comment: text.trim() });
    if (!payload) return;
    setText('');
    onSaid();
  };
  return (
    <div className={classes.comment}>
      <Textarea
        autosize
        minRows={1}
        maxLength={1000}
        label={t('comment.label')}
        placeholder={t('comment.placeholder')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={action.userErrors.map((e) => e.message).join(' ') || null}
      />
      <ActionButton
        atLeast="OPERATOR"
        icon="comment"
        busy={action.busy}
        reason={text.trim() === '' ? t('comment.empty') : null}
        onClick={() => void say()}
      >
        {t('comment.send')}
      </ActionButton>
    </div>
  );
}
