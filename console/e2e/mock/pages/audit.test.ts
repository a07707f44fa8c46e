import { broken, saysSlow, slow } from './cases.ts';
import { look } from './look.ts';

look([
  { name: 'audit-empty', path: '/audit', mock: { scenario: 'empty' } },
  { name: 'audit-few', path: '/audit', mock: { scenario: 'few' } },
  { name: 'audit-many', path: '/audit', mock: { scenario: 'many' } },
  { name: 'audit-filtered', path: '/audit?kind=job&object=x', mock: { scenario: 'few' } },
  { name: 'audit-slow', path: '/audit', mock: slow('AuditTrail'), go: saysSlow },
  { name: 'audit-broken', path: '/audit', mock: broken('AuditTrail') },
  {
    name: 'audit-entry',
    path: '/audit',
    mock: { scenario: 'few' },
    go: async (page) => {
      await page.locator('tbody button').first().click();
      await page.locator('[role=dialog] table').waitFor();
    },
  },
]);
