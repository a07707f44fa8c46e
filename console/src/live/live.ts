import { type Client, createClient } from 'graphql-ws';

/** What the indicator in the header shows. */
export type LiveStatus = 'connecting' | 'live' | 'reconnecting' | 'paused';

/** One subscription's receiver, in the shape urql hands it over. */
export interface Sink {
  next(result: unknown): void;
  error(error: unknown): void;
  complete(): void;
}

export interface LivePayload {
  query?: string | undefined;
  variables?: Record<string, unknown> | undefined;
  operationName?: string | undefined;
}

/** How subscriptions reach the server. The tests hand in one of their own. */
export interface LiveTransport {
  subscribe(payload: LivePayload, sink: Sink): () => void;
  dispose(): void;
}

export interface LiveEvents {
  connecting(): void;
  connected(): void;
  closed(): void;
}

/** The real transport: one WebSocket for all subscriptions, on the page's own origin. */
export function webSocketTransport(events: LiveEvents): LiveTransport {
  const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`;
  let pong: ReturnType<typeof setTimeout> | undefined;
  const client: Client = createClient({
    url,
    // Open all the time: the indicator must tell the truth on pages without subscriptions too.
    lazy: false,
    keepAlive: 15_000,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    retryWait: (retries) => wait(Math.min(15_000, 500 * 2 ** retries) * (0.75 + Math.random() / 2)),
    onNonLazyError: () => undefined,
    on: {
      connecting: () => events.connecting(),
      connected: () => events.connected(),
      closed: () => {
        clearTimeout(pong);
        events.closed();
      },
      // A connection that swallows our pings is dead, whatever the browser thinks of it.
      ping: (received) => {
        if (!received) pong = setTimeout(() => client.terminate(), 5_000);
      },
      pong: (received) => {
        if (received) clearTimeout(pong);
      },
    },
  });
  return {
    subscribe: (payload, sink) =>
      client.subscribe(
        {
          query: payload.query ?? '',
          variables: payload.variables ?? null,
          operationName: payload.operationName ?? null,
        },
        sink,
      ),
    dispose: () => {
      clearTimeout(pong);
      void client.dispose();
    },
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms);
  });
}

/**
 * Live updates of the whole page: status for the indicator, a pause switch, and the signal
 * that lists must be read again (after a reconnect, after a pause, or when the server says
 * by the extension `resync` that it cut a burst short).
 */
export class Live {
  private transport: LiveTransport | null = null;
  private connected: LiveStatus = 'connecting';
  private isPaused = false;
  private everConnected = false;
  private readonly watchers = new Set<() => void>();
  private readonly resyncers = new Set<() => void>();

  constructor(
    private readonly connect: (events: LiveEvents) => LiveTransport = webSocketTransport,
    private readonly onLost: () => void = () => undefined,
  ) {}

  get status(): LiveStatus {
    return this.isPaused ? 'paused' : this.connected;
  }

  get paused(): boolean {
    return this.isPaused;
  }

  /** Opens the connection; does nothing while one exists. */
  start(): void {
    this.transport ??= this.connect({
      connecting: () => this.setStatus(this.everConnected ? 'reconnecting' : 'connecting'),
      connected: () => {
        const again = this.everConnected;
        this.everConnected = true;
        this.setStatus('live');
        if (again) this.resync();
      },
      closed: () => {
        this.setStatus('reconnecting');
        this.onLost();
      },
    });
  }

  /** Ends the connection, for sign-out; start opens a new one with the new cookie. */
  stop(): void {
    const old = this.transport;
    this.transport = null;
    this.everConnected = false;
    this.connected = 'connecting';
    old?.dispose();
    this.notify();
  }

  subscribe(payload: LivePayload, sink: Sink): () => void {
    this.start();
    return (
      this.transport?.subscribe(payload, {
        ...sink,
        next: (result) => {
          if (asksForResync(result)) this.resync();
          sink.next(result);
        },
      }) ?? (() => undefined)
    );
  }

  pause(): void {
    this.isPaused = true;
    this.notify();
  }

  resume(): void {
    this.isPaused = false;
    this.notify();
    this.resync();
  }

  /** Calls back whenever the status or the pause changes. */
  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /** Calls back whenever lists must be read again. */
  onResync = (callback: () => void): (() => void) => {
    this.resyncers.add(callback);
    return () => this.resyncers.delete(callback);
  };

  private resync(): void {
    for (const callback of this.resyncers) callback();
  }

  private setStatus(status: LiveStatus): void {
    this.connected = status;
    this.notify();
  }

  private notify(): void {
    for (const watcher of this.watchers) watcher();
  }
}

function asksForResync(result: unknown): boolean {
  if (typeof result !== 'object' || result === null || !('extensions' in result)) return false;
  const { extensions } = result;
  return typeof extensions === 'object' && extensions !== null && 'resync' in extensions
    ? extensions.resync === true
    : false;
}
