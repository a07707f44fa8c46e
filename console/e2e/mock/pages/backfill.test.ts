import type { Page } from 'playwright-core';
import { broken, saysSlow, slow } from './cases.ts';
import { look } from './look.ts';

const openBackfill = async (page: Page) => {
  await page.locator('main header button').nth(2).click();
  await page.locator('[role=dialog] [aria-busy]').waitFor();
};

look([
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
]);
