import type { Page } from 'playwright-core';
import { broken, saysSlow, slow } from './cases.ts';
import { look } from './look.ts';

const firstCalendar = async (page: Page) => {
  await page.locator('tbody a[href^="/calendars/"]').first().click();
  await page.locator('button[data-tip]').first().waitFor();
};

look([
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
]);
