import { type Level, type LogLine, levels } from './log-lines';

/** What one row of the log shows. */
export type LogRow =
  | { kind: 'line'; key: string; line: LogLine }
  | { kind: 'attempt'; key: string; attempt: number; at: string }
  | { kind: 'gap'; key: string; missing: number };

export interface LogFilter {
  /** The least level shown. */
  from: Level;
  /** Part of the message or of the fields, in either case. */
  text: string;
}

/** The rows of the lines that match: a head before each attempt, and a mark where lines are missing. */
export function rowsOf(lines: readonly LogLine[], filter: LogFilter): LogRow[] {
  const rows: LogRow[] = [];
  const needle = filter.text.trim().toLowerCase();
  const least = levels.indexOf(filter.from);
  const everything = needle === '' && least === 0;
  let attempt = 0;
  for (const line of lines) {
    if (levels.indexOf(line.rank) < least) continue;
    if (needle !== '' && !haystack(line).includes(needle)) continue;
    if (line.attempt !== attempt) {
      attempt = line.attempt;
      rows.push({ kind: 'attempt', key: `a${attempt}`, attempt, at: line.at });
    }
    // Between lines that a filter left out, a mark would tell nothing.
    if (everything && line.missing > 0) {
      rows.push({ kind: 'gap', key: `g${line.seq}`, missing: line.missing });
    }
    rows.push({ kind: 'line', key: line.seq, line });
  }
  return rows;
}

// Lower-cased texts live as long as their line does.
const haystacks = new WeakMap<LogLine, string>();

function haystack(line: LogLine): string {
  let text = haystacks.get(line);
  if (text === undefined) {
    const fields = line.fields === null ? '' : fieldsText(line.fields);
    text = `${line.message} ${fields}`.toLowerCase();
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

function bare(text: string): string {
  return /^[^\s="]+$/.test(text) ? text : JSON.stringify(text);
}

/** Where the first error is among rows; -1 without one. */
export function firstError(rows: readonly LogRow[]): number {
  return rows.findIndex((row) => row.kind === 'line' && row.line.rank === 'ERROR');
}
