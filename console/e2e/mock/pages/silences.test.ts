import { broken, saysSlow, slow } from './cases.ts';
import { look } from './look.ts';

look([
  { name: 'silences-empty', path: '/alerts/silences', mock: { scenario: 'empty' } },
  { name: 'silences-few', path: '/alerts/silences?show=all', mock: { scenario: 'few' } },
  { name: 'silences-many', path: '/alerts/silences', mock: { scenario: 'many' } },
  { name: 'silences-slow', path: '/alerts/silences', mock: slow('Silences'), go: saysSlow },
  { name: 'silences-broken', path: '/alerts/silences', mock: broken('Silences') },
  {
    name: 'silence-new',
    path: '/alerts/silences',
    mock: { scenario: 'few' },
    go: async (page) => {
      await page.locator('main header button').first().click();
      await page.locator('[role=dialog] input[value=recurring] + label').click();
      await page.getByRole('dialog').locator('input[type=time]').first().waitFor();
    },
  },
]);
