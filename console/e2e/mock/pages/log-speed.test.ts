import { type Browser, chromium, type Page } from 'playwright-core';
import { type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mockServer } from '../plugin.ts';

/** A task that runs and has a log, and one that has ended without any. */
const task = '01JDX0STORYRUNNING00000001';
const ended = '01JDX0STORYFIFTY0000000001';

let server: PreviewServer;
let browser: Browser;
let url: string;

beforeAll(async () => {
  server = await preview({
    configFile: false,
    plugins: [mockServer()],
    preview: { host: '127.0.0.1', port: 0 },
  });
  url = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
  browser = await chromium.launch({
    executablePath: process.env.BELFRY_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  });
});

afterAll(async () => {
  await browser.close();
  await server.close();
});

const steer = (page: Page, command: object) =>
  page.request.post(`${url}/__mock`, { data: command, timeout: 100_000 });

async function opened(id: string, command: object): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(() => localStorage.setItem('belfry.locale', 'en'));
  await steer(page, { scenario: 'few', ...command });
  await page.goto(`${url}/tasks/${id}`);
  await page.locator('[role=log]').waitFor();
  return page;
}

/** Waits until so many lines have come, of which the page says how many it shows. */
const shows = (page: Page, count: number) =>
  page.waitForFunction(
    (least) => {
      const text = document.querySelector('section:has([role=toolbar]) [role=status]')?.textContent;
      return (
        !/Reading/.test(text ?? '') &&
        Number(/[\d,]+/.exec(text ?? '')?.[0].replaceAll(',', '')) >= least
      );
    },
    count,
    { timeout: 100_000 },
  );

/** Frames that the page draws in so many milliseconds, and the share in which its thread was held up. */
function frames(page: Page, ms: number, scroll = false): Promise<{ drawn: number; held: number }> {
  return page.evaluate(
    ({ ms, scroll }) =>
      new Promise<{ drawn: number; held: number }>((done) => {
        const box = document.querySelector('[role=log]');
        const begin = performance.now();
        let [drawn, held, last] = [0, 0, begin];
        const tick = (now: number) => {
          drawn++;
          // What a frame took beyond 50 ms is time in which nothing could be clicked.
          held += Math.max(0, now - last - 50);
          last = now;
          if (scroll && box) box.scrollTop = ((now - begin) / ms) * box.scrollHeight;
          if (now - begin < ms) requestAnimationFrame(tick);
          else done({ drawn, held: held / (now - begin) });
        };
        requestAnimationFrame(tick);
      }),
    { ms, scroll },
  );
}

const domRows = (page: Page) => page.locator('[role=log] [data-index]').count();

/** Bytes that the page's scripts hold after a collection. */
async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

/** Waits until a line stands within the box of the log. */
const seen = (page: Page, text: string) =>
  page.waitForFunction(
    (text) => {
      const box = document.querySelector('[role=log]');
      const line = [...(box?.querySelectorAll('[data-index]') ?? [])].find((row) =>
        row.textContent?.includes(text),
      );
      if (!box || !line) return false;
      return line.getBoundingClientRect().bottom <= box.getBoundingClientRect().bottom + 1;
    },
    text,
    { timeout: 60_000 },
  );

/** How far the view is from the end of the log, in pixels. */
const fromEnd = (page: Page) =>
  page.locator('[role=log]').evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);

test('100,000 lines scroll like an idle page, in few rows', async () => {
  const page = await opened(ended, { lines: { task: ended, count: 100_000, live: false } });
  await shows(page, 100_000);
  const idle = await frames(page, 2_000);
  const scrolled = await frames(page, 4_000, true);
  expect(await domRows(page)).toBeLessThan(120);
  // The scroll bar is drawn from end to end in four seconds: each frame shows other lines.
  const told = JSON.stringify({ idle, scrolled });
  expect(scrolled.drawn / 4, told).toBeGreaterThan((0.2 * idle.drawn) / 2);
  expect(scrolled.held, told).toBeLessThan(idle.held + 0.5);
  await page.close();
});

test('5,000 lines a second are followed smoothly, and memory stays bounded', async () => {
  const page = await opened(task, {});
  await shows(page, 4_007);
  await seen(page, 'matched payment 23999');
  expect(await fromEnd(page)).toBeLessThanOrEqual(1);
  await steer(page, { lines: { task, count: 96_000, live: true } });
  await shows(page, 100_000);
  const full = await heap(page);
  const idle = await frames(page, 2_000);
  await steer(page, { lines: { task, count: 40_000, live: true, rate: 5_000 } });
  const live = await frames(page, 6_000);
  const rows = await domRows(page);
  expect(rows).toBeLessThan(120);
  await seen(page, `payment ${3_004_099 + 136_000} matched`);
  expect(await fromEnd(page)).toBeLessThanOrEqual(1);
  const later = await heap(page);
  const told = JSON.stringify({ idle, live, full, later });
  expect(live.drawn / 6, told).toBeGreaterThan((0.3 * idle.drawn) / 2);
  expect(live.held, told).toBeLessThan(idle.held + 0.4);
  expect(later, told).toBeLessThan(1.3 * full);
  await page.close();
});
