import { Button } from '@mantine/core';
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/components/ui/icon';
import { Panel } from '@/components/ui/page';
import { EmptyState, ErrorLine, ErrorState, Notice, SkeletonLines } from '@/components/ui/states';
import { useZone } from '@/time/view';
import classes from './log.module.css';
import { type LogLines, mostLines } from './log-lines';
import { LogList, type LogScroller } from './log-list';
import { type LogFilter, LogRows, rowOf } from './log-rows';
import { LogToolbar } from './log-toolbar';
import { useLog } from './use-log';
import { type Place, useStops } from './use-stops';

interface LogPanelProps {
  taskId: string;
  /** Lines may still come. */
  live: boolean;
  jobZone: string | null;
  /** Position of the line that the address points to. */
  line: string | null;
  nodeOf: (attempt: number) => string | null;
}

/** The task's log, live: search, filters, follow mode, pause, download. */
export function LogPanel({ taskId, live, jobZone, line, nodeOf }: LogPanelProps) {
  const { t, i18n } = useTranslation('task');
  const zone = useZone(jobZone);
  const log = useLog(taskId, live);
  const [held, setHeld] = useState<LogLines | null>(null);
  const [wrap, setWrap] = useState(false);
  const [relative, setRelative] = useState(false);
  const [follow, setFollow] = useState(live && line === null);
  /** How many lines there were when following ended. */
  const [left, setLeft] = useState<number | null>(null);
  const [overflows, setOverflows] = useState(false);
  const [filter, setFilter] = useState<LogFilter>({ from: 'DEBUG', text: '', only: false });
  const shown = held ?? log.log;
  const deferred = useDeferredValue(filter);
  const [source] = useState(() => new LogRows());
  const view = useMemo(() => source.update(shown, deferred), [source, shown, deferred]);
  const { rows } = view;
  const scroller = useRef<LogScroller>(null);
  const number = new Intl.NumberFormat(i18n.language);
  const total = shown.lines.length;
  const waiting = held ? log.log.count - held.count : left === null ? 0 : log.log.count - left;
  const [place, setPlace] = useState<Place | null>(null);
  const onFollow = (on: boolean) => {
    setFollow(on);
    setLeft(on ? null : log.log.count);
  };
  const go = (to: Place) => {
    onFollow(false);
    setPlace(to);
    const index = rowOf(rows, to.seq);
    if (index >= 0) scroller.current?.toIndex(index);
  };
  const matches = useStops(rows, view.matches, place, 'match', go);
  const errors = useStops(rows, view.errors, place, 'error', go);
  // The line of the address is gone to once it has been read.
  const pending = useRef(line);
  useEffect(() => {
    const index = pending.current === null ? -1 : rowOf(rows, pending.current);
    if (index < 0 || !scroller.current) return;
    scroller.current.toIndex(index);
    pending.current = null;
  }, [rows]);
  const missing = line !== null && log.caughtUp && pending.current !== null;

  return (
    <Panel
      title={t('log.title')}
      flush
      actions={
        <span className={classes.count} role="status">
          {view.shown === total
            ? t('log.lines', { count: total, shown: number.format(total) })
            : t('log.linesOf', { shown: number.format(view.shown), total: number.format(total) })}
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
        relative={relative}
        onRelative={setRelative}
        matches={matches}
        errors={errors}
      />
      <Marks error={total > 0 ? log.error : null} onRetry={log.again}>
        {log.truncated ? t('log.truncated') : null}
        {missing ? t('log.lineGone') : null}
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
            relative={relative}
            needle={deferred.text.trim().toLowerCase()}
            began={view.began}
            pointed={place?.seq ?? line}
            follow={follow && !held}
            onFollow={onFollow}
            onOverflow={setOverflows}
            nodeOf={nodeOf}
            scroller={scroller}
          />
          {held || (overflows && !follow) ? (
            <Float
              onClick={() => {
                setHeld(null);
                onFollow(true);
              }}
            >
              {waiting > 0 ? t('log.held', { count: waiting }) : t('log.toEnd')}
            </Float>
          ) : null}
        </div>
      )}
    </Panel>
  );
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
