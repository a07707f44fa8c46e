import { addAudits, makeAudit } from '@mock/audit';
import { makeApp } from '@mock/factories';
import { World } from '@mock/world';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';
import { changesOf } from './changes';
import { exportHref } from './search';

function house(rows = 3) {
  const world = new World();
  world.apps.push(makeApp({ name: 'shop' }));
  addAudits(world, rows);
  return world;
}

const trail = async () => within(await screen.findByRole('table', { name: 'Audit trail' }));

test('a change shows who, what, and each field before and after', async () => {
  const { user } = await renderApp('/audit', { world: house() });
  const table = await trail();
  expect(await table.findByText('User: given roles')).toBeTruthy();
  expect(table.getAllByText('Firefox · 192.0.2.7').length).toBe(2);
  const row = table.getByText('Job: changed').closest('tr') as HTMLElement;
  expect(within(row).getByText('description, timeout')).toBeTruthy();
  expect(within(row).getByRole('link', { name: 'reconcile-payments' })).toBeTruthy();
  await user.click(within(row).getByRole('button', { name: 'Details' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Job: changed' }));
  const changes = within(dialog.getByRole('table', { name: 'Changed fields' }));
  const cells = changes.getAllByRole('row').map((each) => each.textContent);
  expect(cells).toEqual([
    'FieldBeforeAfter',
    'description—Compares the books.',
    'timeout5m0s10m0s',
  ]);
});

test('filters stand in the address, and the export takes them along', async () => {
  const { user, at } = await renderApp('/audit?kind=user', { world: house() });
  expect(await (await trail()).findByText('User: given roles')).toBeTruthy();
  expect((await trail()).queryByText('Job: changed')).toBeNull();
  expect(screen.getByRole('link', { name: 'CSV' }).getAttribute('href')).toBe(
    '/download/audit?format=csv&kind=user',
  );
  await user.type(screen.getByRole('textbox', { name: 'Who' }), 'nobody{Enter}');
  await waitFor(() => expect(at()).toContain('actor=nobody'));
  expect(await screen.findByText('No change matches')).toBeTruthy();
});

test('many rows come page by page; an action that is not known is shown as it is', async () => {
  const world = house(120);
  world.audits.unshift(makeAudit({ action: 'rocket.launch', kind: 'rocket', name: 'x' }));
  const { user, at } = await renderApp('/audit', { world });
  expect(await (await trail()).findByText('rocket.launch')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await waitFor(() => expect(at()).toContain('after='));
});

test('a broken server', async () => {
  const world = house();
  world.faults.error = { only: 'AuditTrail', code: 'INTERNAL', message: 'The ledger is away.' };
  const { user } = await renderApp('/audit', { world });
  expect(await screen.findByText('The ledger is away.')).toBeTruthy();
  world.faults.error = null;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await (await trail()).findByText('Job: changed')).toBeTruthy();
});

test('changes and addresses', () => {
  expect(changesOf({ a: 1, b: '' }, { a: [2], c: null })).toEqual([
    { field: 'a', before: '1', after: '[2]' },
    { field: 'b', before: null, after: null },
    { field: 'c', before: null, after: null },
  ]);
  expect(exportHref({ q: 'a&b', after: 'x' }, 'jsonl')).toBe(
    '/download/audit?format=jsonl&q=a%26b',
  );
});
