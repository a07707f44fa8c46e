import type { Page } from 'playwright-core';
import { broken, saysSlow, slow } from './cases.ts';
import { look } from './look.ts';

const few = { scenario: 'few' };
const first = '/jobs/jobnightly/revisions?show=1';

const askBack = async (page: Page) => {
  await page.locator('[data-field]').first().waitFor();
  await page
    .locator('main')
    .getByRole('button', { name: /Roll back|回滚/ })
    .click();
  await page.locator('[role=dialog] [data-field]').first().waitFor();
};

look([
  { name: 'revisions', path: '/jobs/jobnightly/revisions', mock: few },
  { name: 'revisions-two', path: '/jobs/jobnightly/revisions?show=5&with=1', mock: few },
  { name: 'revisions-first', path: first, mock: few },
  { name: 'revisions-none', path: '/jobs/jobclose/revisions', mock: few },
  { name: 'revisions-gone', path: '/jobs/jobnightly/revisions?show=900', mock: few },
  { name: 'revisions-back', path: first, mock: few, go: askBack },
  {
    name: 'revisions-changed-between',
    path: first,
    mock: few,
    go: async (page) => {
      await askBack(page);
      // The world begins anew with each case: only this request is another version's.
      await page.route('**/graphql', async (route) => {
        const body = route.request().postData() ?? '';
        await route.continue({ postData: body.replace('"version":6', '"version":5') });
      });
      await page.locator('[role=dialog] button[type=submit]').click();
      await page.locator('[role=dialog] [role=alert]').waitFor();
    },
  },
  { name: 'revisions-viewer', path: first, mock: { scenario: 'few', role: 'VIEWER' } },
  { name: 'revisions-slow', path: first, mock: slow('JobRevisions'), go: saysSlow },
  { name: 'revisions-broken', path: first, mock: broken('JobRevisions') },
  { name: 'revisions-half-broken', path: first, mock: broken('RevisionPair') },
]);
