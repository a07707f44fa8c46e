import type { Page } from 'playwright-core';
import { broken, saysSlow, slow } from './cases.ts';
import { look } from './look.ts';

const failed = '/tasks?states=%5B%22FAILED%22%5D';

/** Opens the menu of what can be done with all that match. */
const openMenu = async (page: Page) => {
  await page.locator('main header button').first().click();
  await page.getByRole('menuitem').first().waitFor();
};

/** Chooses its entry so many from the top. */
const choose = (entry: number) => async (page: Page) => {
  await openMenu(page);
  await page.getByRole('menuitem').nth(entry).click();
  await page.locator('[role=dialog] form').waitFor();
};

const counted = (entry: number) => async (page: Page) => {
  await choose(entry)(page);
  await page.locator('[role=dialog] section[aria-busy=false]').waitFor();
};

const write = (text: string, way: number) => async (page: Page) => {
  await counted(1)(page);
  await page.locator('[role=dialog] input[type=radio] + label').nth(way).click();
  await page.locator('[role=dialog] textarea').fill(text);
};

const start = async (page: Page) => {
  await counted(0)(page);
  await page.locator('[role=dialog] button[type=submit]').click();
  await page.locator('[role=dialog] [role=progressbar]').waitFor();
};

/** Cards on a narrow screen have no head: there each is ticked by itself. */
const tick = async (page: Page) => {
  const all = page.locator('thead input[type=checkbox]');
  const first = page.locator('tbody input[type=checkbox]').first();
  await first.waitFor();
  await ((page.viewportSize()?.width ?? 0) > 760 ? all : first).check();
  await page.locator('section[aria-label] > [role=status]').first().waitFor();
};

look([
  { name: 'bulks-none', path: '/bulk', mock: { scenario: 'empty' } },
  { name: 'bulks-few', path: '/bulk', mock: { scenario: 'few' } },
  { name: 'bulks-many', path: '/bulk', mock: { scenario: 'many' } },
  { name: 'bulks-viewer', path: '/bulk', mock: { scenario: 'few', role: 'VIEWER' } },
  { name: 'bulks-slow', path: '/bulk', mock: slow('BulkOperations'), go: saysSlow },
  { name: 'bulks-broken', path: '/bulk', mock: broken('BulkOperations') },
  { name: 'bulk', path: '/bulk/bulk1', mock: { scenario: 'few' } },
  { name: 'bulk-named', path: '/bulk/bulk2', mock: { scenario: 'few' } },
  { name: 'bulk-missing', path: '/bulk/none', mock: { scenario: 'few' } },
  { name: 'bulk-slow', path: '/bulk/bulk1', mock: slow('BulkOperationPage'), go: saysSlow },
  { name: 'bulk-broken', path: '/bulk/bulk1', mock: broken('BulkOperationPage') },
  {
    name: 'bulk-stop',
    path: '/bulk/bulk1',
    mock: { scenario: 'few' },
    go: async (page) => {
      await page.locator('main header button').last().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'tasks-few', path: '/tasks', mock: { scenario: 'few' } },
  { name: 'tasks-viewer', path: '/tasks', mock: { scenario: 'few', role: 'VIEWER' } },
  { name: 'tasks-ticked', path: failed, mock: { scenario: 'few' }, go: tick },
  { name: 'all-menu', path: '/tasks', mock: { scenario: 'few' }, go: openMenu },
  {
    name: 'all-menu-off',
    path: '/tasks?states=%5B%22FAILED%22%2C%22RUNNING%22%5D',
    mock: { scenario: 'few' },
    go: openMenu,
  },
  {
    name: 'all-discard',
    path: `${failed}&job=jobclose`,
    mock: { scenario: 'few' },
    go: counted(2),
  },
  { name: 'all-none', path: '/tasks?q=nothing', mock: { scenario: 'few' }, go: counted(0) },
  { name: 'all-edit', path: failed, mock: { scenario: 'few' }, go: write('{"limit": 50}', 0) },
  { name: 'all-edit-wrong', path: failed, mock: { scenario: 'few' }, go: write('{"limit": }', 1) },
  { name: 'all-slow', path: failed, mock: slow('BulkPreview'), go: choose(0) },
  {
    name: 'all-broken',
    path: failed,
    mock: broken('BulkPreview'),
    go: async (page) => {
      await choose(0)(page);
      await page.locator('[role=dialog] [role=alert]').waitFor();
    },
  },
  { name: 'all-running', path: failed, mock: { scenario: 'few' }, go: start },
]);
