import { addManyAccounts, makeSession, makeUser } from '@mock/accounts';
import { makeApp } from '@mock/factories';
import { World } from '@mock/world';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function team() {
  const world = new World();
  const shop = makeApp({ name: 'shop' });
  world.apps.push(shop, makeApp({ name: 'bank' }));
  world.users.push(
    makeUser({ name: 'admin', role: 'ADMIN', sessions: [makeSession({ current: true })] }),
    makeUser({ name: 'ada', role: null, apps: [{ appId: shop.id, role: 'OPERATOR' }] }),
    makeUser({ name: 'bob', hasPassword: false }),
  );
  return world;
}

const users = async () => within(await screen.findByRole('table', { name: 'Users' }));
const named = (world: World, name: string) => world.users.find((user) => user.name === name);

test('lists accounts with what they may do and whether they can sign in', async () => {
  await renderApp('/users', { world: team() });
  const table = await users();
  const row = (await table.findByRole('link', { name: 'ada' })).closest('tr') as HTMLElement;
  expect(within(row).getByText('operator in shop')).toBeTruthy();
  expect(within(row).getByText('Active')).toBeTruthy();
  expect(table.getByText('administrator in all apps')).toBeTruthy();
  expect(table.getByText('No password yet')).toBeTruthy();
});

test('ten thousand accounts come page by page; search and state stand in the address', async () => {
  const world = team();
  addManyAccounts(world);
  const { user, at } = await renderApp('/users', { world });
  await (await users()).findByRole('link', { name: 'admin' });
  expect((await users()).getAllByRole('row')).toHaveLength(51);
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await waitFor(() => expect(at()).toContain('after='));
  await user.type(screen.getByRole('searchbox', { name: 'Search by name' }), 'user-9999');
  await waitFor(() => expect(at()).toBe('/users?q=user-9999'));
  expect(await (await users()).findByRole('link', { name: 'user-9999' })).toBeTruthy();
  await user.click(screen.getByRole('combobox', { name: 'State' }));
  await user.click(await screen.findByRole('option', { name: 'Disabled' }));
  await waitFor(() => expect(at()).toContain('state=disabled'));
});

test('a new account gets a link that is shown once', async () => {
  const world = team();
  const { user } = await renderApp('/users', { world });
  await user.click(await screen.findByRole('button', { name: 'New user' }));
  const form = within(await screen.findByRole('dialog', { name: 'New user' }));
  await user.type(form.getByRole('textbox', { name: 'Name' }), ' grace ');
  await user.click(form.getByRole('combobox', { name: 'Role in all apps' }));
  await user.click(await screen.findByRole('option', { name: 'none' }));
  await user.click(form.getByRole('button', { name: 'Add an app' }));
  await user.click(form.getByRole('combobox', { name: 'App 1' }));
  await user.click(await screen.findByRole('option', { name: 'shop' }));
  await user.click(form.getByRole('combobox', { name: 'Role in app 1' }));
  await user.click(await screen.findByRole('option', { name: 'developer' }));
  await user.click(form.getByRole('button', { name: 'Create user' }));

  const dialog = within(await screen.findByRole('dialog', { name: 'One-time link of grace' }));
  const link = dialog.getByRole('group', { name: 'One-time link' }).textContent ?? '';
  expect(link).toContain('/welcome#token=');
  await user.keyboard('{Escape}');
  expect(screen.getByRole('dialog', { name: 'One-time link of grace' })).toBeTruthy();
  await user.click(dialog.getByRole('checkbox'));
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.body.textContent).not.toContain(link);
  expect(await (await users()).findByRole('link', { name: 'grace' })).toBeTruthy();
  const shop = world.apps[0]?.id;
  expect(named(world, 'grace')).toMatchObject({
    role: null,
    apps: [{ appId: shop, role: 'DEVELOPER' }],
  });
});

test('a taken name is said at the field', async () => {
  const { user } = await renderApp('/users', { world: team() });
  await user.click(await screen.findByRole('button', { name: 'New user' }));
  const form = within(await screen.findByRole('dialog', { name: 'New user' }));
  await user.type(form.getByRole('textbox', { name: 'Name' }), 'ada');
  await user.click(form.getByRole('button', { name: 'Create user' }));
  expect(await form.findByText(/another account "ada" already/)).toBeTruthy();
});

test('roles are changed, and an app taken away', async () => {
  const world = team();
  const { user } = await renderApp(`/users/${named(world, 'ada')?.id}`, { world });
  await user.click(await screen.findByRole('button', { name: 'Change roles' }));
  const form = within(await screen.findByRole('dialog', { name: 'Roles of ada' }));
  await user.click(form.getByRole('button', { name: 'Remove app 1' }));
  await user.click(form.getByRole('combobox', { name: 'Role in all apps' }));
  await user.click(await screen.findByRole('option', { name: 'viewer' }));
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/The roles were saved/)).toBeTruthy();
  expect(named(world, 'ada')).toMatchObject({ role: 'VIEWER', apps: [] });
  expect(await screen.findByText('viewer in all apps')).toBeTruthy();
});

test('the last administrator stays, and the page says why', async () => {
  const world = team();
  const { user } = await renderApp(`/users/${named(world, 'admin')?.id}`, { world });
  await user.click(await screen.findByRole('button', { name: 'Disable' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Disable admin?' }));
  await user.click(dialog.getByRole('button', { name: 'Disable' }));
  expect(await dialog.findByText(/"admin" is the last administrator/)).toBeTruthy();
  expect(named(world, 'admin')?.disabledAt).toBeNull();
});

test('an account is disabled, enabled again, and its password reset', async () => {
  const world = team();
  const { user } = await renderApp(`/users/${named(world, 'ada')?.id}`, { world });
  await user.click(await screen.findByRole('button', { name: 'Disable' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Disable ada?' }));
  await user.click(dialog.getByRole('button', { name: 'Disable' }));
  expect(await screen.findByText('ada was disabled.')).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Enable' }));
  expect(await screen.findByText('ada can sign in again.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Reset password' }));
  const ask = within(await screen.findByRole('dialog', { name: 'Reset the password of ada?' }));
  await user.click(ask.getByRole('button', { name: 'Reset password' }));
  expect(await screen.findByRole('dialog', { name: 'One-time link of ada' })).toBeTruthy();
});

test('somebody is signed out of one browser; one’s own is not offered', async () => {
  const world = team();
  const admin = named(world, 'admin');
  admin?.sessions.push(makeSession());
  const { user } = await renderApp(`/users/${admin?.id}`, { world });
  const table = within(await screen.findByRole('table', { name: 'Signed in' }));
  const buttons = await table.findAllByRole('button', { name: 'Sign out' });
  expect(buttons[0]?.getAttribute('aria-description')).toMatch(/the browser you are using/);
  await user.click(buttons[1] as HTMLElement);
  expect(await screen.findByText('The browser was signed out.')).toBeTruthy();
  await waitFor(() => expect(table.getAllByRole('row')).toHaveLength(2));
});

test('only administrators of all apps see the pages in the menu', async () => {
  const world = team();
  if (world.viewer) world.viewer.roleInAllApps = null;
  await renderApp('/', { world });
  const menu = within(await screen.findByRole('navigation', { name: 'Main menu' }));
  expect(menu.getByRole('link', { name: 'Jobs' })).toBeTruthy();
  expect(menu.queryByRole('link', { name: 'Users' })).toBeNull();
});

test('administrators have a group of their own in the menu', async () => {
  await renderApp('/', { world: team() });
  const group = within(await screen.findByRole('group', { name: 'Administration' }));
  expect(group.getByRole('link', { name: 'Users' })).toBeTruthy();
  expect(group.getByRole('link', { name: 'API tokens' })).toBeTruthy();
});

test.each(['/users', '/users/x'])('a broken server at %s', async (address) => {
  const world = team();
  Object.assign(world.users[1] ?? {}, { id: 'x' });
  const only = address === '/users' ? 'Users' : 'User';
  world.faults.error = { only, code: 'INTERNAL', message: 'The ledger does not answer.' };
  const { user } = await renderApp(address, { world });
  expect(await screen.findByText('The ledger does not answer.')).toBeTruthy();
  world.faults.error = null;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect((await screen.findAllByText('ada')).length).toBeGreaterThan(0);
});

test('an account that does not exist', async () => {
  await renderApp('/users/nobody', { world: team() });
  expect((await screen.findAllByText('There is no such account')).length).toBeGreaterThan(0);
});
