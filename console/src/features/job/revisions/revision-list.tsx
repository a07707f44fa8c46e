import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Panel } from '@/components/ui/page';
import { TimeText } from '@/components/ui/time-text';
import type { RevisionRowFragment } from '@/graphql/generated/graphql';
import { fieldKey } from './fields';
import classes from './revisions.module.css';

/** Field names that a row shows before it counts the rest. */
const mostNamed = 3;

const actions = {
  'job.create': 'create',
  'job.update': 'update',
  'job.rollback': 'rollback',
  'job.pause': 'pause',
  'job.resume': 'resume',
  'job.delete': 'delete',
  'job.before': 'before',
} as const;

/** What was done, in words; the server's own name for what is not known here. */
export function useActionName(): (action: string) => string {
  const { t } = useTranslation('revisions');
  return (action) => {
    const known = actions[action as keyof typeof actions];
    return known ? t(`action.${known}`) : action;
  };
}

/** The versions, newest first; one of them is looked at. */
export function RevisionList(props: {
  rows: readonly RevisionRowFragment[];
  shown: number;
  zone: string | null;
  more: (() => void) | null;
  onShow: (number: number) => void;
}) {
  const { t } = useTranslation('revisions');
  return (
    <Panel title={t('list')} flush>
      <ol className={classes.list}>
        {props.rows.map((row, i) => (
          <li key={row.number}>
            <Row
              row={row}
              present={i === 0}
              zone={props.zone}
              shown={row.number === props.shown}
              onShow={() => props.onShow(row.number)}
            />
          </li>
        ))}
      </ol>
      {props.more ? (
        <div className={classes.more}>
          <Button variant="default" onClick={props.more}>
            {t('more')}
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

function Row(props: {
  row: RevisionRowFragment;
  present: boolean;
  zone: string | null;
  shown: boolean;
  onShow: () => void;
}) {
  const { row } = props;
  const { t } = useTranslation('revisions');
  const action = useActionName();
  return (
    <button
      type="button"
      className={classes.row}
      aria-current={props.shown ? 'true' : undefined}
      onClick={props.onShow}
    >
      <span className={classes.number}>{row.number}</span>
      <span className={classes.about}>
        <span className={classes.deed}>
          {action(row.action)}
          {props.present ? <span className={classes.present}>{t('present')}</span> : null}
        </span>
        <span className={classes.who}>
          <Author row={row} /> · <TimeText at={row.at} jobZone={props.zone} />
        </span>
        <Changed fields={row.changes.map((change) => change.field)} />
      </span>
    </button>
  );
}

function Author({ row }: { row: RevisionRowFragment }) {
  const { t } = useTranslation('revisions');
  if (row.authorKind === 'SYSTEM') return row.author || t('author.SYSTEM');
  const name = row.author || t('author.unknown');
  return row.authorKind === 'TOKEN' ? `${name} (${t('author.TOKEN')})` : name;
}

function Changed({ fields }: { fields: string[] }) {
  const { t } = useTranslation('revisions');
  if (fields.length === 0) return null;
  const named = fields.slice(0, mostNamed).map((field) => {
    const key = fieldKey(field);
    return key ? t(`field.${key}`) : field;
  });
  const rest = fields.length - named.length;
  return (
    <span className={classes.fields}>
      {named.join(t('comma'))}
      {rest > 0 ? ` ${t('others', { count: rest })}` : ''}
    </span>
  );
}
