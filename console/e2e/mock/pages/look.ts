import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mockServer } from '../plugin.ts';
import type { Case } from './cases.ts';

const shots = join(process.cwd(), 'test-results', 'pages');
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'";

interface View {
  scheme: 'light' | 'dark';
  locale: 'en' | 'zh-CN';
  width: number;
}

const views: View[] = [
  { scheme: 'light', locale: 'en', width: 1440 },
  { scheme: 'dark', locale: 'zh-CN', width: 1440 },
  { scheme: 'dark', locale: 'en', width: 390 },
  { scheme: 'light', locale: 'zh-CN', width: 390 },
];

/**
 * Opens every case in both schemes and languages, wide and narrow, in the built console with made-up
 * data. Leaves a picture of each, and fails on a page that is wider than the screen, on errors in the
 * browser's console and on violations of accessibility.
 */
export function look(cases: Case[]): void {
  let server: PreviewServer;
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    mkdirSync(shots, { recursive: true });
    server = await preview({
      configFile: false,
      plugins: [mockServer()],
      preview: { host: '127.0.0.1', port: 0, headers: { 'Content-Security-Policy': policy } },
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

  describe.each(views)('$scheme $locale $width', (view) => {
    test.each(cases)('$name', async (c) => {
      const context = await browser.newContext({
        viewport: { width: view.width, height: 900 },
        colorScheme: view.scheme,
        timezoneId: 'Asia/Shanghai',
        reducedMotion: 'reduce',
      });
      try {
        await check(await context.newPage(), url, c, view);
      } finally {
        await context.close();
      }
    });
  });
}

/** Waits until all that was asked for is there: no skeleton, and nothing that is read again. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(
    () => !document.querySelector('.mantine-Skeleton-root, [data-bf-again="true"]'),
  );
}

async function check(page: Page, url: string, c: Case, view: View): Promise<void> {
  const problems: string[] = [];
  page.on('console', (m) => {
    if (m.type() === 'error') problems.push(m.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.addInitScript((locale) => localStorage.setItem('belfry.locale', locale), view.locale);
  const calm = { delayMs: 0, late: null, error: null, status: null };
  await page.request.post(`${url}/__mock`, { data: { faults: calm, ...c.mock } });
  await page.goto(url + c.path);
  const answers = !/slow$/.test(c.name);
  if (answers) await page.waitForLoadState('networkidle');
  await page.locator('h1, [role=status]').first().waitFor();
  await c.go?.(page);
  if (answers) await settled(page);
  await page.screenshot({
    path: join(shots, `${c.name}-${view.scheme}-${view.locale}-${view.width}.png`),
  });

  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(wide, 'the page is wider than the screen').toBe(0);
  if (!c.noisy) expect(problems).toEqual([]);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const told = violations.map(
    (v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')}`,
  );
  expect(told).toEqual([]);
}
