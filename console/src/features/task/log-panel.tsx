import { Button } from '@mantine/core';
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import { Panel } from '@/components/ui/page';
import { EmptyState, ErrorLine, ErrorState, Notice, SkeletonLines } from '@/components/ui/states';
import { useZone } from '@/time/view';
import classes from './log.module.css';
import { type LogLines, mostLines } from './log-lines';
import { LogList, type LogScroller } from './log-list';
import { firstError, type LogFilter, rowsOf } from './log-rows';
import { LogToolbar } from './log-toolbar';
import { useLog } from './use-log';

interface LogPanelProps {
  taskId: string;
  /** Lines may still come. */
  live: boolean;
  jobZone: string | null;
  nodeOf: (attempt: number) => string | null;
}

/** The task's log, live: filters, follow mode, pause, download. */
export function LogPanel({ taskId, live, jobZone, nodeOf }: LogPanelProps) {
  const { t, i18n } = useTranslation('task');
  const zone = useZone(jobZone);
  const log = useLog(taskId, live);
  const [held, setHeld] = useState<LogLines | null>(null);
  const [wrap, setWrap] = useState(false);
  const [follow, setFollow] = useState(live);
  const [overflows, setOverflows] = useState(false);
  const [filter, setFilter] = useState<LogFilter>({ from: 'DEBUG', text: '' });
  const shown = held ?? log.log;
  const deferred = useDeferredValue(filter);
  const rows = useMemo(() => rowsOf(shown.lines, deferred), [shown, deferred]);
  const scroller = useRef<LogScroller>(null);
  const number = new Intl.NumberFormat(i18n.language);
  const error = firstError(rows);
  const count = rows.reduce((sum, row) => sum + (row.kind === 'line' ? 1 : 0), 0);
  const total = shown.lines.length;
  const waiting = held ? newer(held, log.log) : 0;

  return (
    <Panel
      title={t('log.title')}
      flush
      actions={
        <span className={classes.count} role="status">
          {count === total
            ? t('log.lines', { count: total })
            : t('log.linesOf', { shown: number.format(count), total: number.format(total) })}
          {log.caughtUp || log.error ? '' : ` · ${t('log.reading')}`}
        </span>
      }
    >
      <LogToolbar
        taskId={taskId}
        filter={filter}
        onFilter={setFilter}
        wrap={wrap}
        onWrap={setWrap}
        paused={live || held ? held !== null : null}
        onPause={(on) => setHeld(on ? log.log : null)}
        onFirstError={
          error < 0
            ? null
            : () => {
                setFollow(false);
                scroller.current?.toIndex(error);
              }
        }
      />
      <Marks error={total > 0 ? log.error : null} onRetry={log.again}>
        {log.truncated ? t('log.truncated') : null}
        {shown.dropped > 0
          ? t('log.dropped', { count: shown.dropped, bound: number.format(mostLines) })
          : null}
      </Marks>
      {total === 0 && log.error ? (
        <ErrorState error={log.error} onRetry={log.again} />
      ) : rows.length === 0 ? (
        <NoLines live={live} filtered={total > 0} reading={!log.caughtUp} />
      ) : (
        <div className={classes.frame}>
          <LogList
            rows={rows}
            zone={zone}
            wrap={wrap}
            follow={follow && !held}
            onFollow={setFollow}
            onOverflow={setOverflows}
            nodeOf={nodeOf}
            scroller={scroller}
          />
          {held && waiting > 0 ? (
            <Float onClick={() => setHeld(null)}>{t('log.held', { count: waiting })}</Float>
          ) : held || (overflows && !follow) ? (
            <Float
              onClick={() => {
                setHeld(null);
                setFollow(true);
              }}
            >
              {t('log.toEnd')}
            </Float>
          ) : null}
        </div>
      )}
    </Panel>
  );
}

/** How many lines came after those. */
function newer(held: LogLines, now: LogLines): number {
  return now.dropped + now.lines.length - held.dropped - held.lines.length;
}

function Float({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button
      className={classes.float}
      variant="default"
      leftSection={<Icon name="chevronDown" size={14} />}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}

function Marks(props: {
  error: Parameters<typeof ErrorLine>[0]['error'] | null;
  onRetry: () => void;
  children: (string | null)[];
}) {
  const texts = props.children.filter((text) => text !== null);
  if (texts.length === 0 && !props.error) return null;
  return (
    <div className={classes.marks}>
      {props.error ? <ErrorLine error={props.error} onRetry={props.onRetry} /> : null}
      {texts.map((text) => (
        <Notice key={text} tone="info">
          {text}
        </Notice>
      ))}
    </div>
  );
}

function NoLines({
  live,
  filtered,
  reading,
}: {
  live: boolean;
  filtered: boolean;
  reading: boolean;
}) {
  const { t } = useTranslation('task');
  if (filtered) {
    return (
      <EmptyState icon="search" title={t('log.noMatch.title')}>
        {t('log.noMatch.text')}
      </EmptyState>
    );
  }
  if (reading) {
    return (
      <div className={classes.skeleton}>
        <SkeletonLines lines={6} height={12} />
      </div>
    );
  }
  return live ? (
    <EmptyState icon="waiting" title={t('log.waiting.title')}>
      {t('log.waiting.text')}
    </EmptyState>
  ) : (
    <EmptyState icon="tasks" title={t('log.empty.title')}>
      {t('log.empty.text')}
    </EmptyState>
  );
}
