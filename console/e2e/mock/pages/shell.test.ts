import type { Page } from 'playwright-core';
import { broken } from './cases.ts';
import { look } from './look.ts';

async function signIn(page: Page): Promise<void> {
  await page.locator('input[autocomplete=username]').fill('admin');
  await page.locator('input[autocomplete=current-password]').fill('correct horse');
  await page.keyboard.press('Enter');
  await page.locator('input[autocomplete=one-time-code]').waitFor();
}

look([
  { name: 'overview-empty', path: '/', mock: { scenario: 'empty' } },
  { name: 'overview-few', path: '/', mock: { scenario: 'few' } },
  { name: 'overview-many', path: '/', mock: { scenario: 'many' } },
  { name: 'account', path: '/account', mock: { scenario: 'few' } },
  { name: 'sign-in', path: '/sign-in', mock: { scenario: 'few', role: null } },
  { name: 'welcome', path: '/welcome#token=good-token', mock: { scenario: 'few', role: null } },
  { name: 'welcome-used', path: '/welcome#token=x', mock: { role: null }, noisy: true },
  {
    name: 'second-step',
    path: '/sign-in',
    mock: { scenario: 'few', role: null, factor: { since: '2026-11-01T00:00:00Z' } },
    go: signIn,
  },
  {
    name: 'enrolment',
    path: '/sign-in',
    mock: { scenario: 'few', role: null, factor: { required: true } },
    go: async (page) => {
      await signIn(page);
      await page.getByRole('img').waitFor();
    },
  },
  {
    name: 'account-factor',
    path: '/account',
    mock: { scenario: 'few', factor: { since: '2026-11-01T00:00:00Z', recoveryCodesLeft: 2 } },
    go: (page) => page.locator('main section').last().scrollIntoViewIfNeeded(),
  },
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
]);
