import type { TaskLogsQuery } from '@/graphql/generated/graphql';

/** A line as the server sends it. */
export type SentLine = NonNullable<TaskLogsQuery['task']>['logs']['nodes'][number];

export const levels = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
export type Level = (typeof levels)[number];

/** A line as the page keeps it. */
export interface LogLine extends SentLine {
  /** The level, known ones only: the server's text may be anything. */
  rank: Level;
  /** How many lines are missing before it, within its attempt. */
  missing: number;
}

/**
 * The most lines that are kept, and the most characters in them. What is older goes; a
 * paused view holds on to at most as many again.
 */
export const mostLines = 100_000;
const mostChars = 48_000_000;

/** Lines in order, each once, within the bound. Immutable: `add` answers another. */
export class LogLines {
  private constructor(
    readonly lines: readonly LogLine[],
    /** How many of the oldest were let go. */
    readonly dropped: number,
    private readonly chars: number,
    /** The same for all that came of one another by `add`. */
    readonly origin: object,
  ) {}

  static empty(): LogLines {
    return new LogLines([], 0, 0, {});
  }

  /** How many lines have come in all. */
  get count(): number {
    return this.dropped + this.lines.length;
  }

  get last(): LogLine | undefined {
    return this.lines.at(-1);
  }

  /** Adds lines that follow; those at or before the last one are known already. */
  add(sent: readonly SentLine[], bound = mostLines): LogLines {
    const fresh: LogLine[] = [];
    let before = this.last;
    let chars = this.chars;
    for (const line of sent) {
      if (before && !isLater(line.seq, before.seq)) continue;
      before = { ...line, rank: rankOf(line.level), missing: missingBetween(before, line) };
      chars += sizeOf(before);
      fresh.push(before);
    }
    if (fresh.length === 0) return this;
    const all = [...this.lines, ...fresh];
    let drop = Math.max(0, all.length - bound);
    for (let i = 0; i < drop; i++) chars -= sizeOf(all[i]);
    while (chars > mostChars && drop < all.length - 1) chars -= sizeOf(all[drop++]);
    const kept = drop === 0 ? all : all.slice(drop);
    return new LogLines(kept, this.dropped + drop, chars, this.origin);
  }
}

/** Compares two positions; they are 64-bit numbers without leading zeros. */
export function isLater(a: string, b: string): boolean {
  return a.length === b.length ? a > b : a.length > b.length;
}

// Positions are dense within an attempt; between attempts they jump. An attempt begins with
// its line 1, but the first line here may follow ones that were let go.
function missingBetween(before: LogLine | undefined, line: SentLine): number {
  if (before?.attempt !== line.attempt) return 0;
  return Number(BigInt(line.seq) - BigInt(before.seq)) - 1;
}

function rankOf(level: string): Level {
  const upper = level.toUpperCase();
  return levels.find((known) => known === upper) ?? 'INFO';
}

// Fields are counted by a guess: writing them out for each line would cost more than it tells.
function sizeOf(line: LogLine | undefined): number {
  return line ? line.message.length + (line.fields === null ? 0 : 200) : 0;
}
