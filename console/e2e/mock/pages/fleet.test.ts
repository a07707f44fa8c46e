import { broken, saysSlow, slow } from './cases.ts';
import { look } from './look.ts';

look([
  { name: 'nodes-empty', path: '/nodes', mock: { scenario: 'empty' } },
  { name: 'nodes-few', path: '/nodes', mock: { scenario: 'few' } },
  { name: 'nodes-many', path: '/nodes', mock: { scenario: 'many' } },
  {
    name: 'nodes-group',
    path: '/nodes',
    mock: { scenario: 'few' },
    go: (page) => page.locator('section button').first().click(),
  },
  {
    name: 'nodes-node',
    path: '/nodes',
    mock: { scenario: 'few' },
    go: (page) => page.locator('tbody td[data-title] button').first().click(),
  },
  { name: 'nodes-slow', path: '/nodes', mock: slow('NodeGroups'), go: saysSlow },
  { name: 'nodes-broken', path: '/nodes', mock: broken('NodeGroups') },
  { name: 'nodes-half-broken', path: '/nodes', mock: broken('Nodes') },
  { name: 'apps-empty', path: '/apps', mock: { scenario: 'empty' } },
  { name: 'apps-few', path: '/apps', mock: { scenario: 'few' } },
  { name: 'apps-many', path: '/apps', mock: { scenario: 'many' } },
  { name: 'apps-slow', path: '/apps', mock: slow('Apps'), go: saysSlow },
  { name: 'apps-broken', path: '/apps', mock: broken('Apps') },
  {
    name: 'apps-key',
    path: '/apps',
    mock: { scenario: 'few' },
    go: async (page) => {
      await page.locator('main header button').click();
      await page.locator('[role=dialog] input').first().fill('billing');
      await page.locator('[role=dialog] button[type=submit]').click();
      await page.locator('[role=dialog] pre').first().waitFor();
    },
  },
  { name: 'app', path: '/apps/shop', mock: { scenario: 'few' } },
  { name: 'app-missing', path: '/apps/nothing', mock: { scenario: 'few' } },
  { name: 'app-slow', path: '/apps/shop', mock: slow('AppPage'), go: saysSlow },
  { name: 'app-broken', path: '/apps/shop', mock: broken('AppPage') },
]);
