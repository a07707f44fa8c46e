import { broken, saysSlow, slow } from './cases.ts';
import { look } from './look.ts';

look([
  { name: 'security-none', path: '/security', mock: { scenario: 'empty' } },
  { name: 'security-few', path: '/security', mock: { scenario: 'few' } },
  { name: 'security-many', path: '/security', mock: { scenario: 'many' } },
  { name: 'security-slow', path: '/security', mock: slow('SecurityFindings'), go: saysSlow },
  { name: 'security-broken', path: '/security', mock: broken('SecurityFindings') },
]);
