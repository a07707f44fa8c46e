import { Client, type CombinedError, fetchExchange, stringifyDocument } from 'urql';
import { consoleHeaders } from '@/graphql/client';
import { describeError, type ErrorView } from '@/graphql/error';
import type { TaskLogPartsSubscription } from '@/graphql/generated/graphql';
import type { Live } from '@/live/live';
import { LogLines, type SentLine } from './log-lines';
import { TaskLogParts, TaskLogsQuery } from './queries';

/** Lines asked for at once, the most the server gives. */
export const pageLines = 1_000;
/** How long lines are gathered before they are shown. */
const gatherMs = 100;

export interface LogSnapshot {
  log: LogLines;
  /** The server let older lines go. */
  truncated: boolean;
  /** What was written before now has been read. */
  caughtUp: boolean;
  error: ErrorView | null;
}

// Past the cache of the console's client: a log is long, read once, and kept by its reader alone.
const client = new Client({
  url: '/graphql',
  preferGetMethod: false,
  requestPolicy: 'network-only',
  fetchOptions: { credentials: 'same-origin', headers: consoleHeaders },
  exchanges: [fetchExchange],
});

/** A page of a task's log after a position; null when there is no such task. Throws CombinedError. */
export async function readPage(id: string, after: string | null) {
  const result = await client.query(TaskLogsQuery, { id, first: pageLines, after }).toPromise();
  if (result.error) throw result.error;
  return result.data?.task?.logs ?? null;
}

/** Reads a task's log page by page, then follows it. An external store for React. */
export class LogReader {
  snapshot: LogSnapshot = {
    log: LogLines.empty(),
    truncated: false,
    caughtUp: false,
    error: null,
  };
  private readonly watchers = new Set<() => void>();
  private pending: SentLine[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private unsubscribe: (() => void) | null = null;
  /** Changes with each start and stop, so that late answers of an older run are known. */
  private run = 0;
  /** The next page begins the log anew. */
  private restart = false;

  constructor(
    private readonly live: Live,
    private readonly id: string,
  ) {}

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /** Reads on after the last line known, to the end and then, if wanted, live. */
  async start(follow: boolean): Promise<void> {
    this.stop();
    const run = ++this.run;
    this.set({ error: null });
    try {
      for (let more = true; more; ) {
        const known = this.restart ? LogLines.empty() : this.snapshot.log;
        const page = await readPage(this.id, known.last?.seq ?? null);
        if (run !== this.run) return;
        this.restart = false;
        more = page?.hasNextPage === true && page.nodes.length > 0;
        this.set({
          log: known.add(page?.nodes ?? []),
          truncated: this.snapshot.truncated || page?.truncated === true,
          caughtUp: !more,
        });
      }
    } catch (error) {
      if (run === this.run) this.set({ error: describeError(error as CombinedError) });
      return;
    }
    if (follow) this.subscribe(run);
  }

  /** Ends reading; the lines stay. */
  stop(): void {
    this.run++;
    this.unsubscribe?.();
    this.unsubscribe = null;
    this.flush();
  }

  /**
   * Reads all again: a node that was cut off has sent lines of an earlier attempt. What is
   * shown stays until the first page is there.
   */
  private async anew(): Promise<void> {
    this.stop();
    this.restart = true;
    await this.start(true);
  }

  private subscribe(run: number): void {
    const ended = () => {
      if (run === this.run) this.unsubscribe = null;
    };
    this.unsubscribe = this.live.subscribe(
      {
        query: stringifyDocument(TaskLogParts),
        variables: { id: this.id, after: this.snapshot.log.last?.seq ?? null },
        operationName: 'TaskLogParts',
      },
      {
        next: (result) => {
          const { data } = result as { data?: TaskLogPartsSubscription | null };
          if (run === this.run && data) this.receive(data.taskLogParts);
        },
        error: ended,
        complete: ended,
      },
    );
  }

  private receive(part: TaskLogPartsSubscription['taskLogParts']): void {
    if (part.lateAttempt !== null) return void this.anew();
    if (part.truncated && !this.snapshot.truncated) this.set({ truncated: true });
    for (const line of part.nodes) this.pending.push(line);
    // A burst is taken in parts, so that what waits is bounded too.
    if (this.pending.length >= 5 * pageLines) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), gatherMs);
  }

  private flush(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const lines = this.pending;
    if (lines.length === 0) return;
    this.pending = [];
    this.set({ log: this.snapshot.log.add(lines) });
  }

  private set(change: Partial<LogSnapshot>): void {
    this.snapshot = { ...this.snapshot, ...change };
    for (const watcher of this.watchers) watcher();
  }
}
