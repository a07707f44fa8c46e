import { makeToken } from '@mock/accounts';
import { makeApp } from '@mock/factories';
import { World } from '@mock/world';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function house() {
  const world = new World();
  const shop = makeApp({ name: 'shop' });
  world.apps.push(shop);
  world.tokens.push(
    makeToken({ name: 'grafana', scopes: ['TASKS_READ', 'JOBS_READ'], lastUsedAt: null }),
    makeToken({ name: 'pipeline', role: null, apps: [{ appId: shop.id, role: 'DEVELOPER' }] }),
    makeToken({ name: 'old', revokedAt: '2026-10-01T08:00:00Z' }),
    makeToken({ name: 'short', expiresAt: '2026-10-01T08:00:00Z' }),
  );
  return world;
}

const tokens = async () => within(await screen.findByRole('table', { name: 'API tokens' }));
const rowOf = async (name: string) =>
  within((await (await tokens()).findByText(name)).closest('tr') as HTMLElement);

test('no token says what to do', async () => {
  await renderApp('/tokens');
  expect(await screen.findByText('There is no API token yet')).toBeTruthy();
});

test('lists tokens with what they may do and whether they still hold', async () => {
  await renderApp('/tokens', { world: house() });
  const first = await rowOf('grafana');
  expect(first.getByText('Jobs and calendars (read) · Tasks (read)')).toBeTruthy();
  expect(first.getByText('never', { selector: 'td:nth-last-child(2) *, td:nth-last-child(2)' }));
  expect((await rowOf('pipeline')).getByText('developer in shop')).toBeTruthy();
  expect((await rowOf('pipeline')).getByText('all that the role allows')).toBeTruthy();
  expect((await rowOf('old')).getByText('Revoked')).toBeTruthy();
  expect((await rowOf('short')).getByText('Expired')).toBeTruthy();
  expect((await rowOf('old')).queryByRole('button', { name: 'Revoke' })).toBeNull();
});

test('a new token is shown once, with its apps, scopes and end', async () => {
  const world = house();
  const { user } = await renderApp('/tokens', { world });
  await user.click(await screen.findByRole('button', { name: 'New token' }));
  const form = within(await screen.findByRole('dialog', { name: 'New token' }));
  await user.type(form.getByRole('textbox', { name: 'Name' }), 'reports');
  await user.click(form.getByRole('combobox', { name: 'Apps' }));
  await user.click(await screen.findByRole('option', { name: 'shop' }));
  await user.click(form.getByRole('checkbox', { name: 'Reports: read' }));
  await user.click(form.getByRole('checkbox', { name: 'Tasks: read' }));
  await user.click(form.getByRole('checkbox', { name: 'Tasks: read' }));
  expect(form.queryByRole('checkbox', { name: 'Logs: change' })).toBeNull();
  await user.click(form.getByRole('combobox', { name: 'Expires' }));
  await user.click(await screen.findByRole('option', { name: 'After 30 days' }));
  await user.click(form.getByRole('button', { name: 'Create token' }));

  const dialog = within(await screen.findByRole('dialog', { name: 'Token reports' }));
  const secret = dialog.getByRole('group', { name: 'Token' }).textContent ?? '';
  expect(secret).toMatch(/^bfy_/);
  // The example reads the token from the environment: commands end up in histories.
  expect(dialog.getByRole('group', { name: 'Use it like this' }).textContent).not.toContain(secret);
  await user.keyboard('{Escape}');
  expect(screen.getByRole('dialog', { name: 'Token reports' })).toBeTruthy();
  await user.click(dialog.getByRole('checkbox'));
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.body.textContent).not.toContain(secret);
  const call = world.calls.find(({ name }) => name === 'CreateToken');
  expect(call?.variables).toEqual({
    input: {
      name: 'reports',
      role: 'VIEWER',
      apps: [world.apps[0]?.id],
      scopes: ['REPORTS_READ'],
      expires: '720h',
    },
  });
});

test('a missing name is said at the field', async () => {
  const { user } = await renderApp('/tokens', { world: house() });
  await user.click(await screen.findByRole('button', { name: 'New token' }));
  const form = within(await screen.findByRole('dialog', { name: 'New token' }));
  await user.click(form.getByRole('button', { name: 'Create token' }));
  expect(await form.findByText('name is missing.')).toBeTruthy();
});

test('a token is revoked after a question', async () => {
  const world = house();
  const { user } = await renderApp('/tokens', { world });
  await user.click((await rowOf('grafana')).getByRole('button', { name: 'Revoke' }));
  const ask = within(await screen.findByRole('dialog', { name: 'Revoke the token grafana?' }));
  await user.click(ask.getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('The token was revoked.')).toBeTruthy();
  expect(await (await rowOf('grafana')).findByText('Revoked')).toBeTruthy();
});

test('state and search stand in the address', async () => {
  const { user, at } = await renderApp('/tokens?state=ended', { world: house() });
  expect(await (await tokens()).findByText('old')).toBeTruthy();
  expect((await tokens()).queryByText('grafana')).toBeNull();
  await user.type(screen.getByRole('searchbox'), 'zz');
  await waitFor(() => expect(at()).toContain('q=zz'));
  expect(await screen.findByText('No token matches')).toBeTruthy();
});

test('a slow and a broken server', async () => {
  const world = house();
  world.faults.late = { only: 'Tokens', ms: 3_500 };
  await renderApp('/tokens', { world });
  expect(await screen.findByText('The server is taking its time. Still waiting…')).toBeTruthy();
  expect(await (await tokens()).findByText('grafana')).toBeTruthy();
});
