import { withoutAnsi } from './ansi';
import type { SentLine } from './log-lines';
import { readPage } from './log-reader';
import { fieldsText } from './log-rows';

/** A line as text: instant in UTC, level, message without colours, fields. */
export function lineText(line: SentLine): string {
  const fields = fieldsText(line.fields);
  const message = withoutAnsi(line.message);
  return [line.at, line.level.toUpperCase().padEnd(5), message, fields].filter(Boolean).join(' ');
}

/** Reads the whole log, page by page, into one file; `progress` hears how many lines there are so far. */
export async function wholeLog(id: string, progress: (lines: number) => void): Promise<Blob> {
  const parts: string[] = [];
  let after: string | null = null;
  let count = 0;
  let attempt = 0;
  for (let more = true; more; ) {
    const page = await readPage(id, after);
    for (const line of page?.nodes ?? []) {
      if (line.attempt !== attempt) {
        attempt = line.attempt;
        parts.push(`--- attempt ${attempt} ---\n`);
      }
      parts.push(`${lineText(line)}\n`);
    }
    count += page?.nodes.length ?? 0;
    after = page?.endCursor ?? after;
    more = page?.hasNextPage === true && page.nodes.length > 0;
    progress(count);
  }
  return new Blob(parts, { type: 'text/plain;charset=utf-8' });
}

/** Hands a file to the person. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has the file by the next turn; a URL that is kept keeps the file in memory.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
