import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '@/components/ui/code-block';
import { ElapsedText } from '@/components/ui/duration-text';
import { Icon } from '@/components/ui/icon';
import { ErrorLine, Notice, SkeletonLines } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { NodeSlotsQuery as Answer, NodeRowFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import classes from './nodes.module.css';
import { NodeSlotsQuery } from './queries';
import { SlotBar } from './slot-bar';

type Node = NonNullable<Answer['node']>;

/** Why a node takes less than it has slots: handlers that do not end, and limits of single handlers. */
export function NodeSlots({ node }: { node: NodeRowFragment }) {
  const { t } = useTranslation('nodes');
  const read = useRead({ query: NodeSlotsQuery, variables: { id: node.id } });
  const own = read.data?.node;
  return (
    <>
      {node.lingering > 0 ? (
        <Notice tone="retry">{t('lingering', { count: node.lingering })}</Notice>
      ) : null}
      {read.error ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {!own && !read.error ? <SkeletonLines lines={2} /> : null}
      {own ? <Stuck node={node} list={own.stuckAttempts} /> : null}
      {own && own.handlerSlots.length > 0 ? <Limits list={own.handlerSlots} /> : null}
    </>
  );
}

function Stuck({ node, list }: { node: NodeRowFragment; list: Node['stuckAttempts'] }) {
  const { t } = useTranslation('nodes');
  if (node.stuck === 0 && list.length === 0) return null;
  const rest = node.stuck - list.length;
  return (
    <section aria-label={t('stuck.title')}>
      <h3 className={classes.sub}>{t('stuck.title')}</h3>
      <p className={classes.note}>{t('stuck.text')}</p>
      <ul className={classes.stuckList}>
        {list.map((stuck, i) => (
          <li key={`${stuck.task?.id ?? i} ${stuck.attempt}`}>
            <StuckHandler stuck={stuck} />
          </li>
        ))}
      </ul>
      {rest > 0 ? <p className={classes.note}>{t('stuck.rest', { count: rest })}</p> : null}
    </section>
  );
}

function StuckHandler({ stuck }: { stuck: Node['stuckAttempts'][number] }) {
  const { t } = useTranslation('nodes');
  const [open, setOpen] = useState(false);
  const { task } = stuck;
  return (
    <>
      <div className={classes.stuckHead}>
        <code>{stuck.handler}</code>
        <span>
          {t('stuck.for')} <ElapsedText since={stuck.since} />{' '}
          <span className={classes.quiet}>
            (<TimeText at={stuck.since} />)
          </span>
        </span>
      </div>
      <div className={classes.stuckTask}>
        {task ? (
          <Link to="/tasks/$taskId" params={{ taskId: task.id }}>
            {t('stuck.attempt', { number: stuck.attempt, job: task.job.name })}
          </Link>
        ) : (
          <span className={classes.quiet}>{t('stuck.noTask', { number: stuck.attempt })}</span>
        )}
        {stuck.cause ? <span>{t('stuck.cause', { cause: stuck.cause })}</span> : null}
      </div>
      {stuck.stack ? (
        <>
          <button
            type="button"
            className={classes.unfold}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'chevronDown' : 'chevronRight'} size={12} />
            {t('stuck.stack')}
          </button>
          {open ? (
            <CodeBlock code={stuck.stack} label={t('stuck.stackOf', { handler: stuck.handler })} />
          ) : null}
        </>
      ) : (
        <p className={classes.note}>{t('stuck.noStack')}</p>
      )}
    </>
  );
}

function Limits({ list }: { list: Node['handlerSlots'] }) {
  const { t } = useTranslation('nodes');
  return (
    <section aria-label={t('limits.title')}>
      <h3 className={classes.sub}>{t('limits.title')}</h3>
      <ul className={classes.limits}>
        {list.map((limit) => (
          <li key={limit.handlers.join(' ')}>
            <span className={classes.limitNames}>
              {limit.handlers.map((name) => (
                <code key={name}>{name}</code>
              ))}
            </span>
            <SlotBar running={limit.running} slots={limit.slots} />
          </li>
        ))}
      </ul>
    </section>
  );
}
