import { withoutAnsi } from './ansi';
import { type Level, type LogLine, type LogLines, levels } from './log-lines';

/** What one row of the log shows. `index` counts the lines that have come, from 0. */
export type LogRow =
  | { kind: 'line'; key: string; index: number; line: LogLine }
  | { kind: 'attempt'; key: string; index: number; attempt: number; at: string }
  | { kind: 'gap'; key: string; index: number; missing: number };

export interface LogFilter {
  /** The least level shown. */
  from: Level;
  /** Part of the message or of the fields, in either case. */
  text: string;
  /** Lines without the text are left out. */
  only: boolean;
}

export interface LogView {
  rows: readonly LogRow[];
  /** How many of the rows are lines. */
  shown: number;
  /** Where the lines with the text are among the rows, and those with an error. */
  matches: readonly number[];
  errors: readonly number[];
  /** When each attempt's first line was written, by its number. */
  began: ReadonlyMap<number, string>;
}

/**
 * The rows of the lines that match: a head before each attempt, and a mark where lines are
 * missing. Each line is looked at once: what follows from earlier lines is kept while only
 * lines are added or the oldest let go.
 */
export class LogRows {
  private rows: LogRow[] = [];
  private matches: number[] = [];
  private errors: number[] = [];
  private began = new Map<number, string>();
  private shown = 0;
  private attempt = 0;
  private count = 0;
  private origin: object | null = null;
  private filter: LogFilter = { from: 'DEBUG', text: '', only: false };
  private needle = '';

  update(log: LogLines, filter: LogFilter): LogView {
    const same =
      log.origin === this.origin &&
      log.count >= this.count &&
      filter.from === this.filter.from &&
      filter.text === this.filter.text &&
      filter.only === this.filter.only;
    if (!same) this.clear(log, filter);
    const fresh = log.lines.slice(Math.max(0, this.count - log.dropped));
    if (fresh.length > 0 || !same) {
      // What was handed out before stays as it is.
      this.rows = [...this.rows];
      this.matches = [...this.matches];
      this.errors = [...this.errors];
    }
    let index = log.count - fresh.length;
    for (const line of fresh) this.add(line, index++);
    this.count = log.count;
    this.drop(log.dropped);
    const { rows, shown, matches, errors, began } = this;
    return { rows, shown, matches, errors, began };
  }

  private clear(log: LogLines, filter: LogFilter): void {
    this.rows = [];
    this.matches = [];
    this.errors = [];
    this.began = new Map();
    this.shown = this.attempt = this.count = 0;
    this.origin = log.origin;
    this.filter = filter;
    this.needle = filter.text.trim().toLowerCase();
  }

  private add(line: LogLine, index: number): void {
    if (!this.began.has(line.attempt)) this.began.set(line.attempt, line.at);
    const { filter, needle } = this;
    if (levels.indexOf(line.rank) < levels.indexOf(filter.from)) return;
    const found = needle !== '' && haystack(line).includes(needle);
    const only = filter.only && needle !== '';
    if (only && !found) return;
    if (line.attempt !== this.attempt) {
      this.attempt = line.attempt;
      this.rows.push(headOf(line, index));
    }
    // Between lines that a filter left out, a mark would tell nothing.
    if (!only && filter.from === 'DEBUG' && line.missing > 0) {
      this.rows.push({ kind: 'gap', key: `g${line.seq}`, index, missing: line.missing });
    }
    if (found) this.matches.push(this.rows.length);
    if (line.rank === 'ERROR') this.errors.push(this.rows.length);
    this.rows.push({ kind: 'line', key: line.seq, index, line });
    this.shown++;
  }

  /** Takes out the rows of lines that were let go; the first one left gets a head. */
  private drop(dropped: number): void {
    const end = this.rows.findIndex((row) => row.index >= dropped);
    const gone = end < 0 ? this.rows.length : end;
    if (gone === 0) return;
    for (let i = 0; i < gone; i++) if (this.rows[i]?.kind === 'line') this.shown--;
    const rest = this.rows.slice(gone);
    const first = rest.find((row) => row.kind === 'line');
    const headless = rest[0]?.kind !== 'attempt' && first?.kind === 'line';
    this.rows = headless ? [headOf(first.line, first.index), ...rest] : rest;
    if (rest.length === 0) this.attempt = 0;
    const shift = gone - (headless ? 1 : 0);
    const moved = (at: number[]) => at.filter((n) => n >= gone).map((n) => n - shift);
    this.matches = moved(this.matches);
    this.errors = moved(this.errors);
  }
}

function headOf(line: LogLine, index: number): LogRow {
  return {
    kind: 'attempt',
    key: `a${line.attempt}`,
    index,
    attempt: line.attempt,
    at: line.at,
  };
}

/** Where the row of a line is, by its position; -1 when it is not there. Rows are in order. */
export function rowOf(rows: readonly LogRow[], seq: string): number {
  return rows.findIndex((row) => row.kind === 'line' && row.key === seq);
}

// Lower-cased texts live as long as their line does.
const haystacks = new WeakMap<LogLine, string>();

function haystack(line: LogLine): string {
  let text = haystacks.get(line);
  if (text === undefined) {
    const fields = line.fields === null ? '' : fieldsText(line.fields);
    text = `${withoutAnsi(line.message)} ${fields}`.toLowerCase();
    haystacks.set(line, text);
  }
  return text;
}

/** Structured fields on one line: key=value. */
export function fieldsText(fields: unknown): string {
  if (fields === null || fields === undefined) return '';
  if (typeof fields !== 'object' || Array.isArray(fields)) return JSON.stringify(fields);
  return Object.entries(fields)
    .map(
      ([key, value]) => `${key}=${typeof value === 'string' ? bare(value) : JSON.stringify(value)}`,
    )
    .join(' ');
}

/** The stream of a command that a line comes from, and the other fields. */
export function streamOf(fields: unknown): { stream: string | null; rest: unknown } {
  if (typeof fields !== 'object' || fields === null || !('stream' in fields)) {
    return { stream: null, rest: fields };
  }
  const { stream, ...rest } = fields;
  if (stream !== 'stdout' && stream !== 'stderr') return { stream: null, rest: fields };
  return { stream, rest: Object.keys(rest).length === 0 ? null : rest };
}

function bare(text: string): string {
  return /^[^\s="]+$/.test(text) ? text : JSON.stringify(text);
}
