import type { Page } from 'playwright-core';
import { broken, saysSlow, slow } from './cases.ts';
import { look } from './look.ts';

const tried = async (page: Page) => {
  await page.locator('form section').last().getByRole('button').first().click();
  await page.locator('form dl').waitFor();
};
const down = (page: Page) => page.mouse.wheel(0, 1_200);

look([
  { name: 'rules-empty', path: '/alerts/rules', mock: { scenario: 'empty' } },
  { name: 'rules-few', path: '/alerts/rules', mock: { scenario: 'few' } },
  { name: 'rules-many', path: '/alerts/rules', mock: { scenario: 'many' } },
  { name: 'rules-slow', path: '/alerts/rules', mock: slow('AlertRules'), go: saysSlow },
  { name: 'rules-broken', path: '/alerts/rules', mock: broken('AlertRules') },
  { name: 'rule', path: '/alerts/rules/rulepay', mock: { scenario: 'few' }, go: tried },
  {
    name: 'rule-week',
    path: '/alerts/rules/rulepay',
    mock: { scenario: 'few' },
    go: (page) => page.locator('figure').scrollIntoViewIfNeeded(),
  },
  {
    name: 'rule-rest',
    path: '/alerts/rules/rulepay',
    mock: { scenario: 'few' },
    go: async (page) => {
      await page.locator('figure').waitFor();
      await down(page);
      await down(page);
    },
  },
  {
    name: 'rule-viewer',
    path: '/alerts/rules/rulepay',
    mock: { scenario: 'few', role: 'VIEWER' },
  },
  { name: 'rule-new', path: '/alerts/rules/new?job=jobnightly', mock: { scenario: 'few' } },
  { name: 'rule-broken', path: '/alerts/rules/rulepay', mock: broken('AlertRule') },
  { name: 'rule-slow', path: '/alerts/rules/rulepay', mock: slow('AlertRule'), go: saysSlow },
  { name: 'rule-missing', path: '/alerts/rules/nothing', mock: { scenario: 'few' } },
]);
