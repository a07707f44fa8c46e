import type { Page } from 'playwright-core';
import { firstJob } from './cases.ts';
import { look } from './look.ts';

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

look([
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
      const picture = page.locator('main :is(svg, ol) a[href^="/jobs/"]').first();
      await picture.focus();
      await picture.evaluate((e) => e.scrollIntoView({ block: 'center' }));
    },
  },
]);
