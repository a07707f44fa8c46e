import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton, copyText } from '@/components/ui/copy-button';
import { Icon, type IconName } from '@/components/ui/icon';
import { JsonView } from '@/components/ui/json-view';
import { fullTime, wallTime } from '@/time/format';
import classes from './log.module.css';
import type { Level, LogLine } from './log-lines';
import { Message } from './log-message';
import { fieldsText, streamOf } from './log-rows';
import { lineAddress, lineText, sinceText } from './log-text';

/** Characters of a message and of its fields in a folded line. */
const foldAt = 2_000;
const foldFieldsAt = 400;

const icons: Record<Level, IconName> = {
  DEBUG: 'dots',
  INFO: 'info',
  WARN: 'warning',
  ERROR: 'failed',
};

/** Milliseconds of an instant, or what it has of them. */
function millis(at: string): string {
  return (/\.(\d+)/.exec(at)?.[1] ?? '').padEnd(3, '0').slice(0, 3);
}

function clock(at: string, zone: string): string {
  const w = wallTime(new Date(at), zone);
  return `${w.hour}:${w.minute}:${w.second}.${millis(at)}`;
}

/** How lines are shown. */
export interface LineLook {
  zone: string;
  wrap: boolean;
  /** Times count from the beginning of the attempt. */
  relative: boolean;
  /** What is searched for, in lower case. */
  needle: string;
}

interface LineProps extends LineLook {
  line: LogLine;
  /** When the attempt's first line was written. */
  began: string;
  open: boolean;
  /** The search, or the address, points to it. */
  pointed: boolean;
  onToggle: (seq: string) => void;
  /** One line of those on the screen can be reached by Tab, the others by arrow keys. */
  reachable: boolean;
}

/** A line: time, level, message, fields; folded to a part, or open with everything. */
export const LineRow = memo(function LineRow(props: LineProps) {
  const { line, zone, open } = props;
  const { t } = useTranslation('task');
  const { stream, rest } = streamOf(line.fields);
  const fields = fieldsText(rest);
  const level = t(`log.levels.${line.rank}`);
  return (
    <div
      className={classes.line}
      data-level={line.rank}
      data-seq={line.seq}
      data-pointed={props.pointed || undefined}
      data-wrap={props.wrap || open || undefined}
    >
      <button
        type="button"
        className={classes.fold}
        aria-expanded={open}
        aria-label={t(open ? 'log.collapse' : 'log.expand')}
        tabIndex={props.reachable ? 0 : -1}
        data-fold=""
        onClick={() => props.onToggle(line.seq)}
      >
        <Icon name={open ? 'chevronDown' : 'chevronRight'} size={12} />
      </button>
      <time className={classes.time} dateTime={line.at}>
        {props.relative ? sinceText(line.at, props.began) : clock(line.at, zone)}
      </time>
      <span className={classes.level} title={level}>
        <Icon name={icons[line.rank]} size={13} />
        <span className="bf-sr">{level}</span>
      </span>
      <div className={classes.text}>
        {stream === 'stderr' ? <span className={classes.stream}>{stream}</span> : null}
        <Message text={open ? line.message : cut(line.message, foldAt)} needle={props.needle} />
        {fields && !open ? (
          <span className={classes.fields}> {cut(fields, foldFieldsAt)}</span>
        ) : null}
        {open ? <Whole line={line} zone={zone} /> : null}
      </div>
      <span className={classes.copy}>
        <CopyLine line={line} />
      </span>
    </div>
  );
});

/** As CopyButton, without what that costs: dozens of lines come and go with each frame of a scroll. */
function CopyLine({ line }: { line: LogLine }) {
  const { t } = useTranslation('task');
  const { t: tc } = useTranslation();
  const [done, setDone] = useState(false);
  const name = done ? tc('actions.copied') : t('log.copyLine');
  return (
    <button
      type="button"
      title={name}
      aria-label={name}
      onClick={() => void copyText(lineText(line)).then(setDone)}
      onBlur={() => setDone(false)}
      onMouseLeave={() => setDone(false)}
    >
      <Icon name={done ? 'check' : 'copy'} size={14} />
    </button>
  );
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)} …` : text;
}

function Whole({ line, zone }: { line: LogLine; zone: string }) {
  const { t } = useTranslation('task');
  const date = new Date(line.at);
  const offset = wallTime(date, zone).offset;
  return (
    <div className={classes.whole}>
      <dl>
        <dt>{t('log.field.at')}</dt>
        <dd>
          {fullTime(date, zone)}.{millis(line.at)} {offset}
        </dd>
        <dt>{t('log.field.level')}</dt>
        <dd>{line.level}</dd>
        <dt>{t('log.field.seq')}</dt>
        <dd>{line.seq}</dd>
      </dl>
      {line.fields === null ? null : <JsonView value={line.fields} label={t('log.field.fields')} />}
      <p className={classes.link}>
        <CopyButton text={lineAddress(line.seq)} label={t('log.copyLink')} />
        {t('log.copyLink')}
      </p>
    </div>
  );
}

/** The head of an attempt. */
export function AttemptRow(props: {
  attempt: number;
  at: string;
  node: string | null;
  zone: string;
}) {
  const { t } = useTranslation('task');
  return (
    <div className={classes.attempt} data-attempt={props.attempt}>
      <span className={classes.attemptName}>{t('log.attempt', { number: props.attempt })}</span>
      {props.node ? <span>{t('log.on', { node: props.node })}</span> : null}
      <span>{fullTime(new Date(props.at), props.zone)}</span>
    </div>
  );
}

/** Where the server let lines go. */
export function GapRow({ missing }: { missing: number }) {
  const { t } = useTranslation('task');
  return (
    <div className={classes.gap}>
      <Icon name="warning" size={13} />
      {t('log.gap', { count: missing })}
    </div>
  );
}
