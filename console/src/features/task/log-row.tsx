import { useTranslation } from 'react-i18next';
import { CopyButton } from '@/components/ui/copy-button';
import { Icon, type IconName } from '@/components/ui/icon';
import { JsonView } from '@/components/ui/json-view';
import { fullTime, wallTime } from '@/time/format';
import { ansiPieces } from './ansi';
import classes from './log.module.css';
import type { Level, LogLine } from './log-lines';
import { fieldsText } from './log-rows';
import { lineText } from './log-text';

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

interface LineProps {
  line: LogLine;
  zone: string;
  wrap: boolean;
  open: boolean;
  onToggle: () => void;
  /** One line of those on the screen can be reached by Tab, the others by arrow keys. */
  reachable: boolean;
}

/** A line: time, level, message, fields; folded to a part, or open with everything. */
export function LineRow({ line, zone, wrap, open, onToggle, reachable }: LineProps) {
  const { t } = useTranslation('task');
  const fields = fieldsText(line.fields);
  const level = t(`log.levels.${line.rank}`);
  return (
    <div className={classes.line} data-level={line.rank} data-wrap={wrap || open || undefined}>
      <button
        type="button"
        className={classes.fold}
        aria-expanded={open}
        aria-label={t(open ? 'log.collapse' : 'log.expand')}
        tabIndex={reachable ? 0 : -1}
        data-fold=""
        onClick={onToggle}
      >
        <Icon name={open ? 'chevronDown' : 'chevronRight'} size={12} />
      </button>
      <time className={classes.time} dateTime={line.at}>
        {clock(line.at, zone)}
      </time>
      <span className={classes.level} title={level}>
        <Icon name={icons[line.rank]} size={13} />
        <span className="bf-sr">{level}</span>
      </span>
      <div className={classes.text}>
        <Message text={open ? line.message : cut(line.message, foldAt)} />
        {fields && !open ? (
          <span className={classes.fields}> {cut(fields, foldFieldsAt)}</span>
        ) : null}
        {open ? <Whole line={line} zone={zone} /> : null}
      </div>
      <span className={classes.copy}>
        <CopyButton text={lineText(line)} label={t('log.copyLine')} />
      </span>
    </div>
  );
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)} …` : text;
}

function Message({ text }: { text: string }) {
  return (
    <span className={classes.message}>
      {ansiPieces(text).map((piece, i) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the runs of one text never change places
          key={i}
          data-colour={piece.colour ?? undefined}
          data-bold={piece.bold || undefined}
          data-dim={piece.dim || undefined}
          data-italic={piece.italic || undefined}
          data-underline={piece.underline || undefined}
        >
          {piece.text}
        </span>
      ))}
    </span>
  );
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
    <div className={classes.attempt}>
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
