import { broken, saysSlow, slow } from './cases.ts';
import { look } from './look.ts';

const night = '/alerts/incidents/incnight';

look([
  { name: 'incidents-empty', path: '/alerts', mock: { scenario: 'empty' } },
  { name: 'incidents-few', path: '/alerts', mock: { scenario: 'few' } },
  { name: 'incidents-many', path: '/alerts', mock: { scenario: 'many' } },
  { name: 'incidents-viewer', path: '/alerts', mock: { scenario: 'few', role: 'VIEWER' } },
  { name: 'incidents-slow', path: '/alerts', mock: slow('Incidents'), go: saysSlow },
  { name: 'incidents-broken', path: '/alerts', mock: broken('Incidents') },
  {
    name: 'incidents-selected',
    path: '/alerts',
    mock: { scenario: 'few' },
    go: (page) => page.locator('tbody input[type=checkbox]').first().check(),
  },
  { name: 'incident', path: night, mock: { scenario: 'few' } },
  {
    name: 'incident-acknowledge',
    path: `${night}?do=acknowledge`,
    mock: { scenario: 'few' },
    go: (page) => page.getByRole('dialog').waitFor(),
  },
  {
    name: 'incident-silence',
    path: `${night}?do=silence`,
    mock: { scenario: 'few' },
    go: (page) => page.getByRole('dialog').waitFor(),
  },
  { name: 'incident-silenced', path: '/alerts/incidents/incqueue', mock: { scenario: 'few' } },
  { name: 'incident-slow', path: night, mock: slow('Incident'), go: saysSlow },
  { name: 'incident-broken', path: night, mock: broken('Incident') },
  { name: 'incident-missing', path: '/alerts/incidents/nothing', mock: { scenario: 'few' } },
  { name: 'job-incidents', path: '/jobs/jobnightly', mock: { scenario: 'few' } },
]);
