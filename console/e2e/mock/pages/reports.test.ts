import { broken, saysSlow, slow } from './cases.ts';
import { look } from './look.ts';

look([
  { name: 'report-empty', path: '/reports', mock: { scenario: 'empty' } },
  { name: 'report-few', path: '/reports', mock: { scenario: 'few' } },
  { name: 'report-many', path: '/reports', mock: { scenario: 'many' } },
  { name: 'report-slow', path: '/reports', mock: slow('MorningReport'), go: saysSlow },
  { name: 'report-broken', path: '/reports', mock: broken('MorningReport') },
  {
    name: 'report-schedule',
    path: '/reports',
    mock: { scenario: 'few' },
    go: async (page) => {
      await page.locator('tbody td[data-bare] button').nth(1).click();
      await page.getByRole('dialog').waitFor();
    },
  },
]);
