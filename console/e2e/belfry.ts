import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium } from 'playwright-core';

const binary =
  process.env.BELFRY_BINARY ?? fileURLToPath(new URL('../../bin/belfry', import.meta.url));
const browser = process.env.BELFRY_CHROMIUM ?? '/usr/bin/chromium';

/** A running `belfry dev` with its demo, in a directory of its own. */
export interface Server {
  url: string;
  /** Signs a browser in, once. */
  link: string;
  stop: () => Promise<number | null>;
}

/** Starts it; `env` are settings besides the usual ones. */
export async function startServer(env: Record<string, string> = {}): Promise<Server> {
  const dir = await mkdtemp(join(tmpdir(), 'belfry-e2e-'));
  const child = spawn(binary, ['dev', '--listen', '127.0.0.1:0', '--data', dir], {
    env: { ...process.env, ...env },
  });
  const said = await readUntilLink(child);
  return {
    ...said,
    stop: async () => {
      const code = await ended(child);
      await rm(dir, { recursive: true, force: true });
      return code;
    },
  };
}

function readUntilLink(child: ChildProcess): Promise<{ url: string; link: string }> {
  return new Promise((resolve, reject) => {
    let url = '';
    let errors = '';
    child.stderr?.on('data', (text: Buffer) => {
      errors += text.toString();
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`belfry ended with ${code}: ${errors}`)));
    if (!child.stdout) return reject(new Error('belfry has no output'));
    createInterface(child.stdout).on('line', (line) => {
      const ready = /^Belfry is ready at (\S+)/.exec(line);
      if (ready?.[1]) url = ready[1];
      const link = /^Sign in once with\s+(\S+)/.exec(line);
      if (link?.[1]) resolve({ url, link: link[1] });
    });
  });
}

/** Ends the server as Ctrl-C does and answers its exit code. */
function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.removeAllListeners('exit');
    child.once('exit', resolve);
    child.kill('SIGINT');
  });
}

/** A fresh browser. */
export async function startBrowser(options: {
  locale: string;
  width?: number;
  height?: number;
  dark?: boolean;
}): Promise<BrowserContext> {
  const profile = await mkdtemp(join(tmpdir(), 'belfry-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browser,
    headless: true,
    locale: options.locale,
    timezoneId: 'Europe/Berlin',
    colorScheme: options.dark ? 'dark' : 'light',
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  context.setDefaultTimeout(60_000);
  // Chromium still writes to its profile for a moment after it closed.
  const tidy = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };
  context.once('close', () => void rm(profile, tidy).catch(() => undefined));
  return context;
}
