import { makeApp, makeGroup, makeJob, makeNode } from '@mock/factories';
import { World } from '@mock/world';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

/** So many apps, each with a group, a node and a key. */
function company(count: number) {
  const world = new World();
  for (let i = 1; i <= count; i++) {
    const name = `app-${String(i).padStart(3, '0')}`;
    const app = makeApp({ name, description: `Service ${i}`, keys: [key(`k${i}`)] });
    const group = makeGroup(app);
    world.apps.push(app);
    world.groups.push(group);
    world.nodes.push(makeNode(group));
  }
  return world;
}

const key = (id: string, revokedAt: string | null = null) => ({
  id,
  prefix: `bfk_${id}`,
  createdAt: '2026-10-01T08:00:00Z',
  lastUsedAt: null,
  revokedAt,
});

const apps = async () => within(await screen.findByRole('table', { name: 'Apps' }));
const keys = async () => within(await screen.findByRole('table', { name: 'Keys' }));

test('no app says what to do', async () => {
  await renderApp('/apps');
  expect(await screen.findByText('There is no app yet')).toBeTruthy();
});

test('three apps with what hangs on them', async () => {
  const world = company(3);
  const [group] = world.groups;
  if (group) world.jobs.push(makeJob(group), makeJob(group, { name: 'second' }));
  await renderApp('/apps', { world });
  const table = await apps();
  const first = (await table.findByRole('link', { name: 'app-001' })).closest('tr');
  const cells = within(first as HTMLElement)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
  // Name, description, jobs, nodes online, active keys.
  expect(cells.slice(0, 5)).toEqual(['app-001', 'Service 1', '2', '1', '1']);
  expect(table.getAllByRole('row')).toHaveLength(4);
});

test('many apps are all listed, by name', async () => {
  await renderApp('/apps', { world: company(150) });
  const table = await apps();
  await table.findByRole('link', { name: 'app-001' });
  const names = table.getAllByRole('link').map((link) => link.textContent);
  expect(names).toHaveLength(150);
  expect(names).toEqual([...names].sort());
});

test('a new app shows its key once, and never again', async () => {
  const world = company(1);
  const { user, at } = await renderApp('/apps', { world });
  await user.click(await screen.findByRole('button', { name: 'New app' }));
  const form = within(await screen.findByRole('dialog', { name: 'New app' }));
  await user.type(form.getByRole('textbox', { name: 'Name' }), ' billing ');
  await user.type(form.getByRole('textbox', { name: 'Description' }), 'Invoices');
  await user.click(form.getByRole('button', { name: 'Create app' }));

  const dialog = within(await screen.findByRole('dialog', { name: 'Key of billing' }));
  const shown = dialog.getByRole('group', { name: 'Key' }).textContent ?? '';
  expect(shown).toMatch(/^bfk_/);
  expect(dialog.getByRole('group', { name: /Start the example/ }).textContent).toContain(shown);
  const done = dialog.getByRole<HTMLButtonElement>('button', { name: 'Done' });
  expect(done.disabled).toBe(true);
  // A slip of the hand does not close it.
  await user.keyboard('{Escape}');
  expect(screen.getByRole('dialog', { name: 'Key of billing' })).toBeTruthy();
  await user.click(dialog.getByRole('checkbox', { name: /I have kept the key/ }));
  await user.click(done);

  await waitFor(() => expect(at()).toBe('/apps/billing'));
  expect((await keys()).getAllByRole('row')).toHaveLength(2);
  expect(document.body.textContent).not.toContain(shown);
  expect(world.apps[1]?.description).toBe('Invoices');
});

test('a taken name is said at the field, and the form stays', async () => {
  const { user } = await renderApp('/apps', { world: company(1) });
  await user.click(await screen.findByRole('button', { name: 'New app' }));
  const form = within(await screen.findByRole('dialog', { name: 'New app' }));
  const name = form.getByRole('textbox', { name: 'Name' });
  await user.type(name, 'app-001');
  await user.click(form.getByRole('button', { name: 'Create app' }));
  expect(await form.findByText(/There is an app "app-001" already/)).toBeTruthy();
  expect(name.getAttribute('aria-invalid')).toBe('true');
});

test('a fault while creating makes no app and keeps what was typed', async () => {
  const world = company(0);
  const { user } = await renderApp('/apps', { world });
  await user.click(await screen.findByRole('button', { name: 'New app' }));
  const form = within(await screen.findByRole('dialog', { name: 'New app' }));
  await user.type(form.getByRole('textbox', { name: 'Name' }), 'billing');
  world.faults.error = { only: 'CreateApp', code: 'INTERNAL', message: 'The disk is full.' };
  await user.click(form.getByRole('button', { name: 'Create app' }));
  expect(await screen.findByText('The disk is full.')).toBeTruthy();
  expect(form.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('billing');
  expect(world.apps).toHaveLength(0);
});

test('a second key is shown once; a third waits for a revocation', async () => {
  const world = company(1);
  const { user } = await renderApp('/apps/app-001', { world });
  await user.click(await screen.findByRole('button', { name: 'New key' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Key of app-001' }));
  const shown = dialog.getByRole('group', { name: 'Key' }).textContent ?? '';
  await user.click(dialog.getByRole('checkbox', { name: /I have kept the key/ }));
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.body.textContent).not.toContain(shown);
  await waitFor(async () => expect((await keys()).getAllByRole('row')).toHaveLength(3));
  const button = screen.getByRole('button', { name: 'New key' });
  expect(button.getAttribute('aria-description')).toMatch(/Two keys are active/);

  const first = (await keys()).getByText('bfk_k1…').closest('tr') as HTMLElement;
  await user.click(within(first).getByRole('button', { name: 'Revoke' }));
  const ask = within(await screen.findByRole('dialog', { name: 'Revoke the key bfk_k1…?' }));
  await user.click(ask.getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('The key was revoked.')).toBeTruthy();
  expect(await within(first).findByText('Revoked')).toBeTruthy();
  expect(button.getAttribute('aria-description')).toBeNull();
});

test('only an administrator makes apps and keys', async () => {
  const world = company(1);
  if (world.viewer) world.viewer.role = 'DEVELOPER';
  await renderApp('/apps', { world });
  const button = await screen.findByRole('button', { name: 'New app' });
  expect(button.getAttribute('aria-description')).toContain('Needs the role administrator');
});

test('deletes an app after its name was typed', async () => {
  const world = company(2);
  const { user, at } = await renderApp('/apps/app-002', { world });
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete the app app-002?' }));
  await user.type(dialog.getByRole('textbox', { name: 'Type app-002 to confirm' }), 'app-002');
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(at()).toBe('/apps'));
  await waitFor(async () => expect((await apps()).getAllByRole('row')).toHaveLength(2));
});

test('an app that does not exist', async () => {
  await renderApp('/apps/nope', { world: company(1) });
  expect(await screen.findByText('There is no app of this name')).toBeTruthy();
});

test('a slow server: skeleton rows, then a word that it waits, then the rows', async () => {
  const world = company(1);
  world.faults.late = { only: 'Apps', ms: 4_000 };
  await renderApp('/apps', { world });
  expect((await apps()).queryByRole('link')).toBeNull();
  expect(await screen.findByText('The server is taking its time. Still waiting…')).toBeTruthy();
  expect(await (await apps()).findByRole('link', { name: 'app-001' })).toBeTruthy();
});

test.each(['/apps', '/apps/app-001'])('a broken server at %s', async (address) => {
  const world = company(1);
  const only = address === '/apps' ? 'Apps' : 'AppPage';
  world.faults.error = { only, code: 'INTERNAL', message: 'The ledger does not answer.' };
  const { user } = await renderApp(address, { world });
  expect(await screen.findByText('The ledger does not answer.')).toBeTruthy();
  world.faults.error = null;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect((await screen.findAllByText('app-001')).length).toBeGreaterThan(0);
  expect(screen.queryByText('The ledger does not answer.')).toBeNull();
});
