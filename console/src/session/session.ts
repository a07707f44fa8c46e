import type { Client } from 'urql';
import { consoleHeaders, createGraphqlClient } from '@/graphql/client';
import type { ViewerQuery as ViewerResult } from '@/graphql/generated/graphql';
import { Live, type LiveEvents, type LiveTransport } from '@/live/live';
import { ViewerQuery } from './viewer';

export type Viewer = NonNullable<ViewerResult['viewer']>;

/** Why a call to /auth was refused, in the server's words. */
export class AuthError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** A second factor that waits for its first code. */
export interface Enrolment {
  secret: string;
  /** The modules of a QR code, one string a row, 1 for dark. */
  qr: readonly string[];
}

/** What a sign-in asks for after the password or the link: a code, of a new second factor when `enrolment` is there. */
export interface Step {
  ticket: string;
  enrolment: Enrolment | null;
}

/** How people sign in here. */
export interface Methods {
  password: boolean;
  provider: { name: string; available: boolean } | null;
}

/** What a one-time link asks for next. */
export interface LinkAnswer {
  needsPassword: boolean;
  name?: string;
  step: Step | null;
}

/**
 * Who is signed in, and the client and live connection that belong to them. Signing in or
 * out replaces the client, so that nothing of one account's cache is shown to another.
 */
export class Session {
  readonly live: Live;
  private currentClient: Client;
  private currentViewer: Viewer | null = null;
  private readonly watchers = new Set<() => void>();
  private onExpired: () => void = () => undefined;

  constructor(connect?: (events: LiveEvents) => LiveTransport) {
    this.live = new Live(connect, () => this.probe());
    this.currentClient = this.newClient();
  }

  get client(): Client {
    return this.currentClient;
  }

  get viewer(): Viewer | null {
    return this.currentViewer;
  }

  /** Calls back when the viewer or the client has changed. */
  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /** Sets what happens when the server no longer knows the session. */
  whenExpired(callback: () => void): void {
    this.onExpired = callback;
  }

  /** Answers the viewer, asking the server the first time; null when nobody is signed in. Throws urql's error. */
  async load(): Promise<Viewer | null> {
    if (this.currentViewer) return this.currentViewer;
    const result = await this.client
      .query(ViewerQuery, {}, { requestPolicy: 'network-only' })
      .toPromise();
    if (result.error && !result.data) throw result.error;
    this.setViewer(result.data?.viewer ?? null);
    return this.currentViewer;
  }

  /** Takes over what the server answered to a change of the viewer's settings. */
  setViewer(viewer: Viewer | null): void {
    this.currentViewer = viewer;
    if (viewer) this.live.start();
    this.notify();
  }

  /** Signs in, or answers what else is asked for. Throws AuthError when refused. */
  async signIn(name: string, password: string): Promise<Step | null> {
    const step = stepOf(await post('/auth/sign-in', { name, password }));
    if (!step) this.reset();
    return step;
  }

  /**
   * Gives the second factor, or a recovery code, and signs in. Answers the recovery codes of a second
   * factor that was set up with it. Throws AuthError when refused.
   */
  async finish(ticket: string, code: string): Promise<readonly string[]> {
    const answer = await post('/auth/second-factor', { ticket, code });
    this.reset();
    return isRecord(answer) ? texts(answer.recoveryCodes) : [];
  }

  /** Asks the server how people sign in; passwords alone when it does not say. */
  async methods(): Promise<Methods> {
    try {
      const response = await fetch('/auth/methods', { credentials: 'same-origin' });
      const answer: unknown = await response.json();
      if (!isRecord(answer)) return onlyPasswords;
      const { provider } = answer;
      return {
        password: answer.password !== false,
        provider:
          isRecord(provider) && typeof provider.name === 'string'
            ? { name: provider.name, available: provider.available === true }
            : null,
      };
    } catch {
      return onlyPasswords;
    }
  }

  /** Throws AuthError when it fails. */
  async signOut(): Promise<void> {
    await post('/auth/sign-out', {});
    this.reset();
  }

  /** Redeems a one-time link; with a password when the link's account has none yet. Throws AuthError. */
  async redeem(token: string, password?: string): Promise<LinkAnswer> {
    const answer = await post('/auth/link', password ? { token, password } : { token });
    const needsPassword = isRecord(answer) && answer.needsPassword === true;
    const step = stepOf(answer);
    if (!needsPassword && !step) this.reset();
    const name = isRecord(answer) && typeof answer.name === 'string' ? answer.name : undefined;
    return name === undefined ? { needsPassword, step } : { needsPassword, name, step };
  }

  private expire(): void {
    if (!this.currentViewer) return;
    this.reset();
    this.onExpired();
  }

  // A refused upgrade looks like a lost line to the browser: ask whether the session still holds.
  private probe(): void {
    if (!this.currentViewer) return;
    void this.client
      .query(ViewerQuery, {}, { requestPolicy: 'network-only' })
      .toPromise()
      .then((result) => {
        if (result.data && result.data.viewer === null) this.expire();
      });
  }

  private reset(): void {
    this.live.stop();
    this.currentViewer = null;
    this.currentClient = this.newClient();
    this.notify();
  }

  private newClient(): Client {
    return createGraphqlClient(this.live, () => this.expire());
  }

  private notify(): void {
    for (const watcher of this.watchers) watcher();
  }
}

const onlyPasswords: Methods = { password: true, provider: null };

async function post(path: string, body: object): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { ...consoleHeaders, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch {
    throw new AuthError('NETWORK', '');
  }
  const text = await response.text();
  const answer = parse(text);
  if (response.ok) return answer;
  const error = isRecord(answer) && isRecord(answer.error) ? answer.error : {};
  throw new AuthError(
    typeof error.code === 'string' ? error.code : 'HTTP',
    typeof error.message === 'string' ? error.message : '',
  );
}

function stepOf(answer: unknown): Step | null {
  if (!isRecord(answer) || typeof answer.ticket !== 'string') return null;
  const { ticket, next, secret, qr } = answer;
  const asked = next === 'enrol' && typeof secret === 'string';
  return { ticket, enrolment: asked ? { secret, qr: texts(qr) } : null };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
