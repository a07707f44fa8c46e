import { makeApp, makeGroup, makeJob, makeNode, makeTask } from '@mock/factories';
import { World } from '@mock/world';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

/** An app with one group and so many nodes. */
function shop(count: number, over: Parameters<typeof makeNode>[1] = {}) {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  world.apps.push(app);
  world.groups.push(group);
  for (let i = 1; i <= count; i++)
    world.nodes.push(makeNode(group, { name: `node-${i}`, ...over }));
  return { world, app, group };
}

const nodes = async () => within(await screen.findByRole('table', { name: 'Nodes of default' }));
const row = async (name: string) => {
  const cell = await (await nodes()).findByRole('button', { name });
  const found = cell.closest('tr');
  if (!found) throw new Error(`${name} is not in a row`);
  return within(found);
};

test('no group at all says what to do', async () => {
  await renderApp('/nodes');
  expect(await screen.findByText('There is no node group')).toBeTruthy();
  const create = screen.getByRole('button', { name: 'New node group' });
  expect(create.getAttribute('aria-description')).toBe('Create an app first.');
});

test('a group without nodes shows the command that starts one, and what waits in vain', async () => {
  const { world, group } = shop(0);
  const job = makeJob(group);
  world.jobs.push(job);
  world.tasks.push(makeTask(job, { state: 'WAITING', startedAt: null, finishedAt: null }));
  await renderApp('/nodes', { world });
  expect(await screen.findByText(/No worker has joined this group yet/)).toBeTruthy();
  expect(screen.getByText(/BELFRY_GROUP=default/)).toBeTruthy();
  expect(screen.getByText('No node is online and 1 task waits.')).toBeTruthy();
});

test('three nodes: their states, slots and the group’s rules', async () => {
  const { world, group } = shop(3);
  Object.assign(group, { maxRunning: 40, releaseRate: 100, releaseBurst: 20 });
  const [first, second, third] = world.nodes;
  if (!first || !second || !third) throw new Error('no nodes');
  Object.assign(second, { state: 'SUSPECT' });
  Object.assign(third, { state: 'OFFLINE', running: 0 });
  await renderApp('/nodes', { world });
  expect((await row('node-1')).getByText('Online')).toBeTruthy();
  expect((await row('node-1')).getByText('2 of 16')).toBeTruthy();
  expect((await row('node-2')).getByText('Suspect')).toBeTruthy();
  expect((await row('node-3')).getByText('Offline')).toBeTruthy();
  const panel = within(screen.getByRole('region', { name: 'shop / default' }));
  expect(panel.getByText('100 a second, 20 at once')).toBeTruthy();
  expect(panel.getByText('of 16 slots')).toBeTruthy();
});

test('many nodes: the first are there, the others when asked for, each group with its own', async () => {
  const { world, app } = shop(120);
  const other = makeGroup(app, { name: 'batch' });
  world.groups.push(other);
  world.nodes.push(makeNode(other, { name: 'batch-1' }));
  const last = world.nodes[119];
  if (last) last.state = 'SUSPECT';
  const { user } = await renderApp('/nodes', { world });
  // A head and the rows; what is about to be lost is among the first.
  expect((await nodes()).getAllByRole('row')).toHaveLength(26);
  expect((await row('node-120')).getByText('Suspect')).toBeTruthy();
  const panel = within(screen.getByRole('region', { name: 'shop / default' }));
  expect(panel.getByText('95 more are not shown')).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Show 25 more' }));
  expect((await nodes()).getAllByRole('row')).toHaveLength(51);
  const batch = within(screen.getByRole('table', { name: 'Nodes of batch' }));
  expect(batch.getAllByRole('row')).toHaveLength(2);
});

test('the address chooses app and group; a reset shows all again', async () => {
  const { world, app } = shop(1);
  const other = makeGroup(app, { name: 'batch' });
  world.groups.push(other);
  const { user, at } = await renderApp(`/nodes?group=${other.id}`, { world });
  expect(await screen.findByRole('region', { name: 'shop / batch' })).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'shop / default' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Reset filters' }));
  expect(await screen.findByRole('region', { name: 'shop / default' })).toBeTruthy();
  expect(at()).toBe('/nodes');
});

test('drains a node and takes that back', async () => {
  const { world } = shop(1);
  const { user } = await renderApp('/nodes', { world });
  await user.click((await row('node-1')).getByRole('button', { name: 'Drain' }));
  expect(await screen.findByText('node-1 takes nothing new; what runs goes on.')).toBeTruthy();
  expect(await (await row('node-1')).findByText('Draining')).toBeTruthy();
  expect(world.nodes[0]?.state).toBe('DRAINING');
  await user.click((await row('node-1')).getByRole('button', { name: 'Resume' }));
  expect(await screen.findByText('node-1 takes new tasks again.')).toBeTruthy();
  expect(await (await row('node-1')).findByText('Online')).toBeTruthy();
});

test('a refused drain says why and changes nothing', async () => {
  const { world } = shop(1);
  world.refusals.set(world.nodes[0]?.id ?? '', 'The node "node-1" went offline meanwhile.');
  const { user } = await renderApp('/nodes', { world });
  await user.click((await row('node-1')).getByRole('button', { name: 'Drain' }));
  expect(await screen.findByText('The node "node-1" went offline meanwhile.')).toBeTruthy();
  expect((await row('node-1')).getByText('Online')).toBeTruthy();
});

test('removes a node that is offline, after asking', async () => {
  const { world } = shop(2, { state: 'OFFLINE' });
  const { user } = await renderApp('/nodes', { world });
  await user.click((await row('node-2')).getByRole('button', { name: 'Remove' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove the node node-2?' }));
  expect(world.nodes).toHaveLength(2);
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('node-2 was removed.')).toBeTruthy();
  await waitFor(async () =>
    expect((await nodes()).queryByRole('button', { name: 'node-2' })).toBeNull(),
  );
});

test('a viewer sees why they may not drain', async () => {
  const { world } = shop(1);
  if (world.viewer) world.viewer.role = 'VIEWER';
  const { user } = await renderApp('/nodes', { world });
  const drain = (await row('node-1')).getByRole('button', { name: 'Drain' });
  expect(drain.getAttribute('aria-description')).toBe('Needs the role operator; yours is viewer.');
  await user.click(drain);
  expect(world.nodes[0]?.state).toBe('ONLINE');
});

test('a node changes and appears by itself', async () => {
  const { world, group } = shop(1);
  await renderApp('/nodes', { world });
  const [first] = world.nodes;
  if (!first) throw new Error('no node');
  expect((await row('node-1')).getByText('2 of 16')).toBeTruthy();
  first.running = 9;
  act(() => world.nodeChanged(first));
  expect(await (await row('node-1')).findByText('9 of 16')).toBeTruthy();
  const fresh = makeNode(group, { name: 'node-2' });
  world.nodes.push(fresh);
  act(() => world.nodeChanged(fresh));
  expect(await (await nodes()).findByRole('button', { name: 'node-2' })).toBeTruthy();
});

test('a node’s name opens all about it', async () => {
  const { world } = shop(1);
  const { user } = await renderApp('/nodes', { world });
  await user.click((await nodes()).getByRole('button', { name: 'node-1' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Node node-1' }));
  expect(dialog.getByText('orders.close')).toBeTruthy();
  expect(dialog.getByText('01JDWZ7QF3M8R3VXWJ2P9ETK5C')).toBeTruthy();
});

test('shows handlers that do not end, with their stack, and slots of single handlers', async () => {
  const { world, group } = shop(1);
  const [node] = world.nodes;
  if (!node) throw new Error('no node');
  const job = makeJob(group);
  const task = makeTask(job, { state: 'FAILED' });
  world.jobs.push(job);
  world.tasks.push(task);
  const since = new Date(Date.now() - 65_000).toISOString();
  Object.assign(node, {
    stuck: 3,
    lingering: 1,
    stuckAttempts: [
      {
        taskId: task.id,
        attempt: 2,
        handler: 'orders.close',
        since,
        cause: 'time limit',
        stack: 'goroutine 7\n\tmain.go:12',
      },
      { taskId: 'gone', attempt: 1, handler: 'rates', since, cause: '', stack: '' },
    ],
    handlerSlots: [{ handlers: ['orders.close', 'rates'], slots: 4, running: 1 }],
  });
  const { user, at } = await renderApp('/nodes', { world });
  await user.click(
    await (await row('node-1')).findByRole('button', { name: '3 handlers do not end' }),
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Node node-1' }));
  expect(at()).toContain(`node=${node.id}`);
  const stuck = within(await dialog.findByRole('region', { name: 'Handlers that do not end' }));
  expect(stuck.getByRole('link').getAttribute('href')).toBe(`/tasks/${task.id}`);
  expect(stuck.getByText('told to stop: time limit')).toBeTruthy();
  expect(stuck.getByText('Attempt 1 of a task that is no more')).toBeTruthy();
  expect(stuck.getByText('1 more is not listed.')).toBeTruthy();
  expect(stuck.getAllByText(/1 m 0\d s/)).toHaveLength(2);
  expect(stuck.queryByText(/main.go:12/)).toBeNull();
  await user.click(stuck.getByRole('button', { name: 'Where it is' }));
  expect(stuck.getByRole('group', { name: 'Stack of orders.close' }).textContent).toContain(
    'main.go:12',
  );
  expect(stuck.getByRole('button', { name: 'Copy' })).toBeTruthy();
  expect(dialog.getByText(/1 slot is taken by a handler/)).toBeTruthy();
  const limits = within(dialog.getByRole('region', { name: 'Slots of single handlers' }));
  expect(limits.getByText('1 of 4')).toBeTruthy();
});

test('creates a group, edits it with a refusal at its field, and deletes it', async () => {
  const { world } = shop(1);
  const { user } = await renderApp('/nodes', { world });
  await row('node-1');
  await waitFor(() =>
    expect(
      screen.getByRole('button', { name: 'New node group' }).getAttribute('aria-disabled'),
    ).toBeNull(),
  );
  await user.click(screen.getByRole('button', { name: 'New node group' }));
  let dialog = within(await screen.findByRole('dialog', { name: 'New node group' }));
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'batch');
  await user.click(dialog.getByRole('button', { name: 'Create group' }));
  expect(await screen.findByText('batch was created.')).toBeTruthy();
  const panel = within(await screen.findByRole('region', { name: 'shop / batch' }));

  await user.click(panel.getByRole('button', { name: 'Edit' }));
  dialog = within(await screen.findByRole('dialog', { name: 'Edit the group batch' }));
  const most = dialog.getByRole('textbox', { name: 'Most running at once' });
  await user.type(most, '200000');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('maxRunning is 200000. Use 1 to 100,000.')).toBeTruthy();
  await user.clear(most);
  await user.type(most, '12');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await panel.findByText('12')).toBeTruthy();

  await user.click(panel.getByRole('button', { name: 'Delete' }));
  dialog = within(await screen.findByRole('dialog', { name: 'Delete the group batch?' }));
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'shop / batch' })).toBeNull());
});

test('a group with jobs cannot be deleted, and says why', async () => {
  const { world, group } = shop(1);
  world.jobs.push(makeJob(group));
  await renderApp('/nodes', { world });
  const panel = within(await screen.findByRole('region', { name: 'shop / default' }));
  const button = panel.getByRole('button', { name: 'Delete' });
  expect(button.getAttribute('aria-description')).toBe(
    '1 job is dispatched to it. Move or delete it first.',
  );
});

test('a slow server: the page stands, and says that it waits', async () => {
  const { world } = shop(1);
  world.faults.late = { only: 'NodeGroups', ms: 4_000 };
  await renderApp('/nodes', { world });
  expect(await screen.findByRole('heading', { name: 'Nodes' })).toBeTruthy();
  expect(
    await screen.findByText('The server is taking its time. Still waiting…', undefined, {
      timeout: 5_000,
    }),
  ).toBeTruthy();
  expect(await nodes()).toBeTruthy();
});

test('a broken server: its sentence, and a way to try again', async () => {
  const { world } = shop(1);
  world.faults.error = {
    only: 'NodeGroups',
    code: 'INTERNAL',
    message: 'The ledger does not answer.',
    requestId: '01JDX',
  };
  const { user } = await renderApp('/nodes', { world });
  expect(await screen.findByText('The ledger does not answer.')).toBeTruthy();
  expect(screen.getByText('Request 01JDX')).toBeTruthy();
  world.faults.error = null;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await nodes()).toBeTruthy();
});

test('nodes that cannot be read leave the groups readable', async () => {
  const { world } = shop(1);
  world.faults.error = { only: 'Nodes', code: 'INTERNAL', message: 'No nodes today.' };
  const { user } = await renderApp('/nodes', { world });
  expect(await screen.findByText('No nodes today.')).toBeTruthy();
  expect(await screen.findByRole('region', { name: 'shop / default' })).toBeTruthy();
  world.faults.error = null;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await row('node-1')).toBeTruthy();
  expect(screen.queryByText('No nodes today.')).toBeNull();
});

test('older nodes stay while a later reading fails', async () => {
  const { world } = shop(1);
  const { line } = await renderApp('/nodes', { world });
  await row('node-1');
  world.faults.status = 503;
  line.drop();
  act(() => line.mend());
  expect(await screen.findByText(/The server answered with status 503/)).toBeTruthy();
  expect((await row('node-1')).getByText('Online')).toBeTruthy();
});
