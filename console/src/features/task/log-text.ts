import { withoutAnsi } from './ansi';
import type { SentLine } from './log-lines';
import { fieldsText } from './log-rows';

/** A line as text: instant in UTC, level, message without colours, fields. */
export function lineText(line: SentLine): string {
  const fields = fieldsText(line.fields);
  const message = withoutAnsi(line.message);
  return [line.at, line.level.toUpperCase().padEnd(5), message, fields].filter(Boolean).join(' ');
}

export const downloadFormats = ['text', 'raw', 'ndjson'] as const;

/** Where the server gives the whole log as a file. */
export function downloadPath(id: string, format: (typeof downloadFormats)[number]): string {
  return `/download/tasks/${encodeURIComponent(id)}/log?format=${format}`;
}

/** The address of a line, for others to open. */
export function lineAddress(seq: string): string {
  const { origin, pathname } = window.location;
  return `${origin}${pathname}?line=${seq}`;
}

/** How long after another instant: +1.204 s, +3:07.150, +2:00:03.000. */
export function sinceText(at: string, from: string): string {
  const ms = Math.max(0, Date.parse(at) - Date.parse(from));
  const part = (n: number, digits: number) => String(n).padStart(digits, '0');
  const seconds = `${part(Math.floor(ms / 1_000) % 60, 2)}.${part(ms % 1_000, 3)}`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  return hours > 0 ? `+${hours}:${part(minutes, 2)}:${seconds}` : `+${minutes}:${seconds}`;
}
