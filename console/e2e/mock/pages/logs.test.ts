import type { Page } from 'playwright-core';
import { broken, slow } from './cases.ts';
import { look } from './look.ts';

const few = { scenario: 'few' };
/** A task that was taken over, with the logs of three attempts on two nodes. */
const story = '/tasks/01JDX0STORYRUNNING00000001';
const ended = '01JDX0STORYFIFTY0000000001';
const lines = (count: number) => ({
  scenario: 'few',
  lines: { task: ended, count, live: false },
});

const log = (page: Page) => page.locator('section:has([role=toolbar])');
/** Brings the log to where it fills the screen, once all of it has been read. */
const see = async (page: Page) => {
  await page.locator('[role=toolbar]').waitFor();
  await page.waitForFunction(
    () =>
      !/reading|读取/.test(
        document.querySelector('section:has([role=toolbar])')?.textContent ?? '',
      ),
  );
  await log(page).evaluate((panel) => {
    panel.scrollIntoView({ block: 'start' });
    window.scrollBy(0, -60);
  });
};
const skeleton = async (page: Page) => {
  await page.locator('section:has([role=toolbar]) .mantine-Skeleton-root').first().waitFor();
  await log(page).scrollIntoViewIfNeeded();
};
const tool = (page: Page, icon: number) =>
  page.locator('[role=toolbar] button[aria-pressed]').nth(icon);
const top = (page: Page) =>
  page.locator('[role=log]').evaluate((box) => {
    box.scrollTop = 0;
  });

look([
  { name: 'log-story', path: story, mock: few, go: see },
  {
    name: 'log-takeover',
    path: story,
    mock: few,
    go: async (page) => {
      await see(page);
      await top(page);
      await page.locator('[data-attempt="3"]').first().waitFor();
    },
  },
  {
    name: 'log-wrapped',
    path: story,
    mock: few,
    go: async (page) => {
      await see(page);
      await tool(page, 0).click();
      await top(page);
      await page.locator('[data-attempt="3"]').first().waitFor();
    },
  },
  {
    name: 'log-open-line',
    path: story,
    mock: few,
    go: async (page) => {
      await see(page);
      await top(page);
      await page.locator('[data-fold]').nth(1).click();
    },
  },
  {
    name: 'log-search',
    path: story,
    mock: few,
    go: async (page) => {
      await see(page);
      const search = page.locator('[role=toolbar] input[type=search]');
      await search.fill('payment 2100');
      await search.press('Enter');
      await page.locator('[data-pointed]').waitFor();
    },
  },
  {
    name: 'log-error',
    path: `/tasks/${ended}`,
    mock: lines(10_000),
    go: async (page) => {
      await see(page);
      await page.locator('[data-errors]').click();
      await page.locator('[data-pointed]').waitFor();
    },
  },
  {
    name: 'log-paused',
    path: story,
    mock: few,
    go: async (page) => {
      await see(page);
      await tool(page, 2).click();
    },
  },
  { name: 'log-none', path: `/tasks/${ended}`, mock: few, go: see },
  { name: 'log-three', path: `/tasks/${ended}`, mock: lines(3), go: see },
  { name: 'log-many', path: `/tasks/${ended}`, mock: lines(10_000), go: see },
  {
    name: 'log-no-match',
    path: `/tasks/${ended}`,
    mock: lines(3),
    go: async (page) => {
      await see(page);
      await page.locator('[role=toolbar] input[type=search]').fill('nothing like it');
      await tool(page, 0).click();
      await page.locator('[role=log]').waitFor({ state: 'detached' });
    },
  },
  { name: 'log-slow', path: `/tasks/${ended}`, mock: slow('TaskLogs'), go: skeleton },
  {
    name: 'log-broken',
    path: `/tasks/${ended}`,
    mock: broken('TaskLogs'),
    go: async (page) => {
      await page.locator('[role=toolbar]').waitFor();
      await log(page).scrollIntoViewIfNeeded();
    },
  },
  { name: 'task-story', path: story, mock: few },
  { name: 'task-fifty', path: `/tasks/${ended}`, mock: few },
  { name: 'task-missing', path: '/tasks/nothing', mock: few },
]);
