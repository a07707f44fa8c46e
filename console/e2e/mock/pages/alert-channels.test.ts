import { broken, saysSlow, slow } from './cases.ts';
import { look } from './look.ts';

look([
  { name: 'channels-empty', path: '/alerts/channels', mock: { scenario: 'empty' } },
  { name: 'channels-few', path: '/alerts/channels', mock: { scenario: 'few' } },
  { name: 'channels-many', path: '/alerts/channels', mock: { scenario: 'many' } },
  { name: 'channels-slow', path: '/alerts/channels', mock: slow('AlertChannels'), go: saysSlow },
  { name: 'channels-broken', path: '/alerts/channels', mock: broken('AlertChannels') },
  { name: 'channel-new', path: '/alerts/channels/new', mock: { scenario: 'few' } },
  {
    name: 'channel',
    path: '/alerts/channels/chanmail',
    mock: { scenario: 'few' },
    go: async (page) => {
      await page.locator('main header button').first().click();
      await page.locator('[aria-live] [data-tone=ok]').waitFor();
    },
  },
  {
    name: 'channel-texts',
    path: '/alerts/channels/chanding',
    mock: { scenario: 'few' },
    go: (page) => page.locator('pre').first().scrollIntoViewIfNeeded(),
  },
  { name: 'channel-off', path: '/alerts/channels/chanhook', mock: { scenario: 'few' } },
  {
    name: 'channel-viewer',
    path: '/alerts/channels/chanmail',
    mock: { scenario: 'few', role: 'VIEWER' },
  },
  {
    name: 'channel-slow',
    path: '/alerts/channels/chanmail',
    mock: slow('AlertChannel'),
    go: saysSlow,
  },
  { name: 'channel-broken', path: '/alerts/channels/chanmail', mock: broken('AlertChannel') },
  { name: 'channel-missing', path: '/alerts/channels/nothing', mock: { scenario: 'few' } },
]);
