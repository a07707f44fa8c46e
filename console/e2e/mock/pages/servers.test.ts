import { broken, saysSlow, slow } from './cases.ts';
import { look } from './look.ts';

look([
  { name: 'servers-one', path: '/servers', mock: { scenario: 'empty' } },
  { name: 'servers-few', path: '/servers', mock: { scenario: 'few' } },
  { name: 'servers-many', path: '/servers', mock: { scenario: 'many' } },
  { name: 'servers-slow', path: '/servers', mock: slow('Servers'), go: saysSlow },
  { name: 'servers-broken', path: '/servers', mock: broken('Servers') },
]);
