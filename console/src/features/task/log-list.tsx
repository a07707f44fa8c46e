import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import classes from './log.module.css';
import { AttemptRow, GapRow, type LineLook, LineRow } from './log-row';
import type { LogRow } from './log-rows';

/** What the panel can ask of the list. */
export interface LogScroller {
  toIndex: (index: number) => void;
}

interface LogListProps extends LineLook {
  rows: readonly LogRow[];
  began: ReadonlyMap<number, string>;
  /** Position of the line that the search or the address points to. */
  pointed: string | null;
  /** The end stays in sight as lines come. */
  follow: boolean;
  onFollow: (follow: boolean) => void;
  /** Hears whether there is more than fits. */
  onOverflow: (overflows: boolean) => void;
  nodeOf: (attempt: number) => string | null;
  scroller: RefObject<LogScroller | null>;
}

/** How far from the end counts as "at the end", in pixels. */
const nearEnd = 24;
const rowHeight = 21;

/** The lines in sight of a long log. A component of its own: the virtualiser renders it on every scroll. */
export function LogList(props: LogListProps) {
  const { rows, follow, onFollow, onOverflow } = props;
  const { t } = useTranslation('task');
  const box = useRef<HTMLDivElement>(null);
  const top = useRef(0);
  /** What `follow` is about to be: a scroll counts before it is rendered. */
  const following = useRef(follow);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: 6,
    initialRect: { width: 900, height: 480 },
  });
  const height = virtual.getTotalSize();

  // Wrapping changes every height: what was measured no longer holds.
  // biome-ignore lint/correctness/useExhaustiveDependencies: wrap is the reason, not an input
  useEffect(() => virtual.measure(), [props.wrap]);
  useLayoutEffect(() => {
    following.current = follow;
  }, [follow]);
  // After every rendering: the virtualiser too moves the view, by the heights that it finds.
  useLayoutEffect(() => {
    const element = box.current;
    if (!following.current || !element) return;
    const end = element.scrollHeight - element.clientHeight;
    if (end - element.scrollTop > 1) element.scrollTop = end;
  });
  useEffect(() => {
    onOverflow(height > (box.current?.clientHeight ?? 0) + nearEnd);
  }, [height, onOverflow]);
  useEffect(() => {
    props.scroller.current = {
      toIndex: (index) => virtual.scrollToIndex(index, { align: 'center' }),
    };
  });

  const onScroll = () => {
    const element = box.current;
    if (!element) return;
    const rest = element.scrollHeight - element.scrollTop - element.clientHeight;
    const up = element.scrollTop < top.current - 1;
    top.current = element.scrollTop;
    if (follow && up && rest > nearEnd) {
      following.current = false;
      onFollow(false);
    } else if (!follow && !up && rest <= 1 && element.scrollHeight > element.clientHeight)
      onFollow(true);
  };
  const onToggle = useCallback((seq: string) => setOpen((old) => toggled(old, seq)), []);
  const items = virtual.getVirtualItems();
  const reachable = items.find((item) => item.end > top.current)?.index;
  return (
    <div
      ref={box}
      className={classes.box}
      role="log"
      data-wrap={props.wrap || undefined}
      aria-live="off"
      aria-label={t('log.title')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={moveBetweenLines}
    >
      <div className={classes.all} style={{ height }}>
        <div
          style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
          className={classes.shown}
        >
          {items.map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            return (
              <div key={item.key} data-index={item.index} ref={virtual.measureElement}>
                {row.kind === 'line' ? (
                  <LineRow
                    line={row.line}
                    began={props.began.get(row.line.attempt) ?? row.line.at}
                    zone={props.zone}
                    wrap={props.wrap}
                    relative={props.relative}
                    needle={props.needle}
                    pointed={row.key === props.pointed}
                    open={open.has(row.key)}
                    onToggle={onToggle}
                    reachable={item.index === reachable}
                  />
                ) : row.kind === 'attempt' ? (
                  <AttemptRow
                    attempt={row.attempt}
                    at={row.at}
                    node={props.nodeOf(row.attempt)}
                    zone={props.zone}
                  />
                ) : (
                  <GapRow missing={row.missing} />
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function toggled(open: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(open);
  if (!next.delete(key)) next.add(key);
  return next;
}

// On a line's button the arrows go to the next line's; elsewhere they scroll, as the browser does.
function moveBetweenLines(event: KeyboardEvent<HTMLDivElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-fold]')];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? undefined : buttons[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
