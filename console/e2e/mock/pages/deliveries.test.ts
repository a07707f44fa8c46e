import { broken, saysSlow, slow } from './cases.ts';
import { look } from './look.ts';

look([
  { name: 'deliveries-empty', path: '/alerts/deliveries', mock: { scenario: 'empty' } },
  {
    name: 'deliveries-few',
    path: '/alerts/deliveries?incident=incnight',
    mock: { scenario: 'few' },
  },
  { name: 'deliveries-many', path: '/alerts/deliveries', mock: { scenario: 'many' } },
  { name: 'deliveries-slow', path: '/alerts/deliveries', mock: slow('Deliveries'), go: saysSlow },
  { name: 'deliveries-broken', path: '/alerts/deliveries', mock: broken('Deliveries') },
  {
    name: 'delivery',
    path: '/alerts/deliveries?notification=note1',
    mock: { scenario: 'few' },
    go: (page) => page.getByRole('dialog').locator('pre').waitFor(),
  },
]);
