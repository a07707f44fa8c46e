import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mockServer } from './plugin.ts';

const shots = join(process.cwd(), 'test-results', 'pages');
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'";

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

interface Case {
  name: string;
  path: string;
  mock: object;
  /** Leads from the address to what is looked at. */
  go?: (page: Page) => Promise<unknown>;
  /** Console errors that belong to the case: a broken server makes the browser say so. */
  noisy?: boolean;
}

const firstJob = (page: Page) => page.locator('tbody a[href^="/jobs/"]').first().click();

/** One operation is not answered in time. */
const slow = (only: string) => ({ scenario: 'few', faults: { late: { only, ms: 60_000 } } });
/** One operation fails. */
const broken = (only: string) => ({
  scenario: 'few',
  faults: {
    error: { only, code: 'INTERNAL', message: 'The ledger does not answer.', requestId: '01JDX' },
  },
});
/** Waits until the page says that an answer is late. */
const saysSlow = (page: Page) =>
  page.locator('main p[role=status]').filter({ hasText: /\S/ }).first().waitFor();
/** Writes an expression and goes to the strip of what it would do. */
const forecast = (expression: string) => async (page: Page) => {
  await page.locator('input[placeholder="0 9 * * 1-5"]').fill(expression);
  const strip = page.locator('[data-bf-forecast]');
  await strip.waitFor();
  await strip.locator('button[data-tip]').last().focus();
  await strip.evaluate((e) => e.scrollIntoView({ block: 'center' }));
};

const editJob = async (page: Page, name: string) => {
  await page.getByRole('link', { name, exact: true }).first().click();
  await page.waitForURL(/\/jobs\/job/);
  await page.goto(`${page.url()}/edit`);
};

const firstCalendar = async (page: Page) => {
  await page.locator('tbody a[href^="/calendars/"]').first().click();
  await page.locator('button[data-tip]').first().waitFor();
};
const askSkipped = async (page: Page) => {
  await page.locator('a[href*="why="]').last().click();
  await page.locator('[aria-live] h3').first().waitFor();
};
const openBackfill = async (page: Page) => {
  await page.locator('main header button').nth(2).click();
  await page.locator('[role=dialog] [aria-busy]').waitFor();
};

const cases: Case[] = [
  { name: 'overview-empty', path: '/', mock: { scenario: 'empty' } },
  { name: 'overview-few', path: '/', mock: { scenario: 'few' } },
  { name: 'overview-many', path: '/', mock: { scenario: 'many' } },
  { name: 'jobs-empty', path: '/jobs', mock: { scenario: 'empty' } },
  { name: 'jobs-few', path: '/jobs', mock: { scenario: 'few' } },
  { name: 'jobs-many', path: '/jobs', mock: { scenario: 'many' } },
  {
    name: 'jobs-selected',
    path: '/jobs',
    mock: { scenario: 'few' },
    go: (page) => page.locator('tbody input[type=checkbox]').first().check(),
  },
  { name: 'jobs-no-match', path: '/jobs?q=nothing', mock: { scenario: 'few' } },
  { name: 'job', path: '/jobs', mock: { scenario: 'few' }, go: firstJob },
  {
    name: 'job-delete',
    path: '/jobs',
    mock: { scenario: 'few' },
    go: async (page) => {
      await firstJob(page);
      await page.locator('button[aria-haspopup=menu]').last().click();
      await page.getByRole('menuitem').last().click();
    },
  },
  {
    name: 'run',
    path: '/jobs',
    mock: { scenario: 'few' },
    go: (page) => page.locator('tbody td[data-bare] button').first().click(),
  },
  { name: 'job-skipped-why', path: '/jobs/jobnightly', mock: { scenario: 'few' }, go: askSkipped },
  { name: 'job-why', path: '/jobs/jobclose?why=2026-11-29T07:20:00Z', mock: { scenario: 'few' } },
  {
    name: 'job-why-slow',
    path: '/jobs/jobclose?why=2026-11-29T07:20:00Z',
    mock: slow('WhyNotRun'),
    go: saysSlow,
  },
  {
    name: 'job-why-broken',
    path: '/jobs/jobclose?why=2026-11-29T07:20:00Z',
    mock: broken('WhyNotRun'),
  },
  { name: 'job-report', path: '/jobs/jobreport', mock: { scenario: 'few' } },
  { name: 'job-joins-broken', path: '/jobs/jobreport', mock: broken('JobJoins') },
  { name: 'job-backfills-many', path: '/jobs/jobclose', mock: { scenario: 'many' } },
  { name: 'job-backfills-broken', path: '/jobs/jobclose', mock: broken('JobBackfills') },
  { name: 'backfill-new', path: '/jobs/jobclose', mock: { scenario: 'few' }, go: openBackfill },
  {
    name: 'backfill-new-slow',
    path: '/jobs/jobclose',
    mock: { ...slow('BackfillPreview') },
    go: openBackfill,
  },
  {
    name: 'backfill-new-broken',
    path: '/jobs/jobclose',
    mock: broken('BackfillPreview'),
    go: openBackfill,
  },
  { name: 'backfill', path: '/backfills/backfill1', mock: { scenario: 'few' } },
  { name: 'backfill-finished', path: '/backfills/backfill2', mock: { scenario: 'few' } },
  { name: 'backfill-missing', path: '/backfills/none', mock: { scenario: 'few' } },
  { name: 'backfill-slow', path: '/backfills/backfill1', mock: slow('BackfillPage'), go: saysSlow },
  { name: 'backfill-broken', path: '/backfills/backfill1', mock: broken('BackfillPage') },
  { name: 'backfill-tasks-broken', path: '/backfills/backfill1', mock: broken('BackfillTasks') },
  {
    name: 'task-chain',
    path: '/tasks/01JDX0CHAINREPORT000000001',
    mock: { scenario: 'few' },
  },
  {
    name: 'run-downstream',
    path: '/jobs/jobnightly',
    mock: { scenario: 'few' },
    go: (page) => page.locator('main header button').first().click(),
  },
  { name: 'new', path: '/jobs/new', mock: { scenario: 'few' } },
  {
    name: 'new-wrong',
    path: '/jobs/new',
    mock: { scenario: 'few' },
    go: async (page) => {
      await page.locator('input[placeholder="0 9 * * 1-5"]').fill('*/5 61 * * *');
      await page.locator('mark').waitFor();
      await page.locator('button[type=submit]').click();
    },
  },
  {
    name: 'edit',
    path: '/jobs',
    mock: { scenario: 'few' },
    go: async (page) => {
      await firstJob(page);
      await page.waitForURL(/\/jobs\/job/);
      await page.goto(`${page.url()}/edit`);
      await page.locator('input[placeholder="0 9 * * 1-5"]').waitFor();
    },
  },
  { name: 'nodes-empty', path: '/nodes', mock: { scenario: 'empty' } },
  { name: 'nodes-few', path: '/nodes', mock: { scenario: 'few' } },
  { name: 'nodes-many', path: '/nodes', mock: { scenario: 'many' } },
  {
    name: 'nodes-group',
    path: '/nodes',
    mock: { scenario: 'few' },
    go: (page) => page.locator('section button').first().click(),
  },
  {
    name: 'nodes-node',
    path: '/nodes',
    mock: { scenario: 'few' },
    go: (page) => page.locator('tbody td[data-title] button').first().click(),
  },
  { name: 'nodes-slow', path: '/nodes', mock: slow('NodeGroups'), go: saysSlow },
  { name: 'nodes-broken', path: '/nodes', mock: broken('NodeGroups') },
  { name: 'nodes-half-broken', path: '/nodes', mock: broken('Nodes') },
  { name: 'apps-empty', path: '/apps', mock: { scenario: 'empty' } },
  { name: 'apps-few', path: '/apps', mock: { scenario: 'few' } },
  { name: 'apps-many', path: '/apps', mock: { scenario: 'many' } },
  { name: 'apps-slow', path: '/apps', mock: slow('Apps'), go: saysSlow },
  { name: 'apps-broken', path: '/apps', mock: broken('Apps') },
  {
    name: 'apps-key',
    path: '/apps',
    mock: { scenario: 'few' },
    go: async (page) => {
      await page.locator('main header button').click();
      await page.locator('[role=dialog] input').first().fill('billing');
      await page.locator('[role=dialog] button[type=submit]').click();
      await page.locator('[role=dialog] pre').first().waitFor();
    },
  },
  { name: 'app', path: '/apps/shop', mock: { scenario: 'few' } },
  { name: 'app-missing', path: '/apps/nothing', mock: { scenario: 'few' } },
  { name: 'app-slow', path: '/apps/shop', mock: slow('AppPage'), go: saysSlow },
  { name: 'app-broken', path: '/apps/shop', mock: broken('AppPage') },
  {
    name: 'forecast-minutes',
    path: '/jobs/new',
    mock: { scenario: 'few' },
    go: forecast('*/5 * * * *'),
  },
  {
    name: 'forecast-week',
    path: '/jobs/new',
    mock: { scenario: 'few' },
    go: forecast('0 9 * * *'),
  },
  {
    name: 'forecast-weeks',
    path: '/jobs/new',
    mock: { scenario: 'few' },
    go: forecast('0 9 * * FRI'),
  },
  {
    name: 'forecast-clock',
    path: '/jobs/new',
    mock: { scenario: 'few' },
    go: async (page) => {
      await forecast('0 */6 * * *')(page);
      const zone = page.locator('input[role=combobox][value="Asia/Shanghai"]');
      await zone.fill('berlin');
      await page.getByRole('option', { name: /Europe\/Berlin/ }).click();
      const strip = page.locator('[data-bf-forecast]');
      await page
        .locator('section:has([data-bf-forecast]) input[type=radio]')
        .nth(1)
        .check({ force: true });
      await strip.locator('ol svg[width="12"]').waitFor();
      await strip.locator('button[data-tip]').nth(4).focus();
      await strip.evaluate((e) => e.scrollIntoView({ block: 'center' }));
    },
  },
  {
    name: 'forecast-calendar',
    path: '/jobs',
    mock: { scenario: 'few' },
    go: async (page) => {
      await editJob(page, 'reconcile-payments');
      const strip = page.locator('[data-bf-forecast]');
      await strip.locator('[data-rest]').first().waitFor();
      await strip.locator('button[data-tip][data-rest]').first().focus();
      await strip.evaluate((e) => e.scrollIntoView({ block: 'center' }));
    },
  },
  {
    name: 'dependency',
    path: '/jobs',
    mock: { scenario: 'few' },
    go: async (page) => {
      await editJob(page, 'daily-report');
      const picture = page.locator('main svg a').first();
      await picture.focus();
      await picture.evaluate((e) => e.scrollIntoView({ block: 'center' }));
    },
  },
  { name: 'calendars-empty', path: '/calendars', mock: { scenario: 'empty' } },
  { name: 'calendars-few', path: '/calendars', mock: { scenario: 'few' } },
  { name: 'calendars-many', path: '/calendars', mock: { scenario: 'many' } },
  { name: 'calendars-slow', path: '/calendars', mock: slow('Calendars'), go: saysSlow },
  { name: 'calendars-broken', path: '/calendars', mock: broken('Calendars') },
  { name: 'calendar', path: '/calendars', mock: { scenario: 'few' }, go: firstCalendar },
  {
    name: 'calendar-day',
    path: '/calendars',
    mock: { scenario: 'few' },
    go: async (page) => {
      await firstCalendar(page);
      await page.locator('button[data-tip$="-10-08"]').click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'calendar-import',
    path: '/calendars',
    mock: { scenario: 'few' },
    go: async (page) => {
      await firstCalendar(page);
      await page.locator('main header button').first().click();
      const dialog = page.getByRole('dialog');
      await dialog
        .locator('textarea')
        .first()
        .fill('2026-10-01 National Day\n2026-10-02 Harvest\n2026-12-24 Christmas Eve');
      await dialog.locator('input[type=checkbox]').check();
      await dialog.locator('button[type=submit]').click();
      await dialog.locator('section').waitFor();
    },
  },
  {
    name: 'calendar-quiet',
    path: '/calendars',
    mock: { scenario: 'few' },
    go: async (page) => {
      await firstCalendar(page);
      await page
        .locator('main section button', { has: page.locator('svg') })
        .nth(2)
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'calendar-new',
    path: '/calendars',
    mock: { scenario: 'few' },
    go: async (page) => {
      await page.locator('main header button').first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'calendar-missing', path: '/calendars/nothing', mock: { scenario: 'few' } },
  { name: 'calendar-broken', path: '/calendars/nothing', mock: broken('Calendar') },
  { name: 'account', path: '/account', mock: { scenario: 'few' } },
  { name: 'sign-in', path: '/sign-in', mock: { scenario: 'few', role: null } },
  { name: 'welcome', path: '/welcome#token=good-token', mock: { scenario: 'few', role: null } },
  { name: 'welcome-used', path: '/welcome#token=x', mock: { role: null }, noisy: true },
  { name: 'viewer', path: '/jobs', mock: { scenario: 'few', role: 'VIEWER' } },
  {
    name: 'slow',
    path: '/jobs',
    mock: { scenario: 'few', faults: { delayMs: 60_000 } },
  },
  {
    name: 'broken',
    path: '/jobs',
    mock: broken('Jobs'),
  },
  {
    name: 'keys',
    path: '/jobs',
    mock: { scenario: 'few' },
    go: (page) => page.keyboard.press('?'),
  },
  {
    name: 'palette',
    path: '/',
    mock: { scenario: 'few' },
    go: async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('re');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'account-menu',
    path: '/jobs',
    mock: { scenario: 'few' },
    go: (page) => page.locator('header button[aria-haspopup=dialog]').click(),
  },
];

describe.each(views)('$scheme $locale $width', (view) => {
  test.each(cases)('$name', async (c) => {
    const context = await browser.newContext({
      viewport: { width: view.width, height: 900 },
      colorScheme: view.scheme,
      timezoneId: 'Asia/Shanghai',
      reducedMotion: 'reduce',
    });
    try {
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (m) => {
        if (m.type() === 'error') problems.push(m.text());
      });
      page.on('pageerror', (error) => problems.push(error.message));
      await page.addInitScript(
        (locale) => localStorage.setItem('belfry.locale', locale),
        view.locale,
      );
      const calm = { delayMs: 0, late: null, error: null, status: null };
      await page.request.post(`${url}/__mock`, { data: { faults: calm, ...c.mock } });
      await page.goto(url + c.path);
      const answers = !/slow$/.test(c.name);
      if (answers) await page.waitForLoadState('networkidle');
      await page.locator('h1, [role=status]').first().waitFor();
      await c.go?.(page);
      if (answers) await page.waitForLoadState('networkidle');
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
    } finally {
      await context.close();
    }
  });
});
