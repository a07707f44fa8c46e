import type { Page } from 'playwright-core';
import { broken, firstJob, saysSlow, slow } from './cases.ts';
import { look } from './look.ts';

const askSkipped = async (page: Page) => {
  await page.locator('a[href*="why="]').last().click();
  await page.locator('[aria-live] h3').first().waitFor();
};

look([
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
]);
