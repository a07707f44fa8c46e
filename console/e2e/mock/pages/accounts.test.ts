import { broken, saysSlow, slow } from './cases.ts';
import { look } from './look.ts';

look([
  { name: 'users-empty', path: '/users', mock: { scenario: 'empty' } },
  { name: 'users-few', path: '/users', mock: { scenario: 'few' } },
  { name: 'users-many', path: '/users', mock: { scenario: 'many' } },
  { name: 'users-slow', path: '/users', mock: slow('Users'), go: saysSlow },
  { name: 'users-broken', path: '/users', mock: broken('Users') },
  {
    name: 'users-link',
    path: '/users',
    mock: { scenario: 'few' },
    go: async (page) => {
      await page.locator('main header button').click();
      await page.locator('[role=dialog] input').first().fill('grace');
      await page.locator('[role=dialog] button[type=submit]').click();
      await page.locator('[role=dialog] pre').first().waitFor();
    },
  },
  {
    name: 'user',
    path: '/users',
    mock: { scenario: 'few' },
    go: (page) => page.locator('tbody a').first().click(),
  },
  {
    name: 'user-roles',
    path: '/users',
    mock: { scenario: 'few' },
    go: async (page) => {
      await page.locator('tbody a').nth(1).click();
      await page.locator('main header button').first().click();
      await page.locator('[role=dialog] fieldset button').last().click();
    },
  },
  { name: 'user-missing', path: '/users/nobody', mock: { scenario: 'few' } },
  { name: 'tokens-empty', path: '/tokens', mock: { scenario: 'empty' } },
  { name: 'tokens-few', path: '/tokens', mock: { scenario: 'few' } },
  { name: 'tokens-many', path: '/tokens', mock: { scenario: 'many' } },
  { name: 'tokens-slow', path: '/tokens', mock: slow('Tokens'), go: saysSlow },
  { name: 'tokens-broken', path: '/tokens', mock: broken('Tokens') },
  {
    name: 'tokens-create',
    path: '/tokens',
    mock: { scenario: 'few' },
    go: async (page) => {
      await page.locator('main header button').click();
      await page.locator('[role=dialog] table').waitFor();
    },
  },
  {
    name: 'tokens-shown',
    path: '/tokens',
    mock: { scenario: 'few' },
    go: async (page) => {
      await page.locator('main header button').click();
      await page.locator('[role=dialog] input').first().fill('grafana');
      await page.locator('[role=dialog] button[type=submit]').click();
      await page.locator('[role=dialog] pre').first().waitFor();
    },
  },
]);
