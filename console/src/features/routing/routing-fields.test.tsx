import { makeApp, makeGroup, makeJob, makeNode, makeRouting } from '@mock/factories';
import { World } from '@mock/world';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function shop() {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  world.apps.push(app);
  world.groups.push(group);
  world.nodes.push(
    makeNode(group, { name: 'worker-1', labels: { zone: 'a' } }),
    makeNode(group, { name: 'worker-2', labels: { zone: 'b' }, state: 'OFFLINE' }),
  );
  const job = makeJob(group);
  world.jobs.push(job);
  return { world, group, job };
}

type User = Awaited<ReturnType<typeof renderApp>>['user'];
const choose = async (user: User, field: string, option: string) => {
  await user.click(await screen.findByRole('combobox', { name: field }));
  await user.click(await screen.findByRole('option', { name: option }));
};

test('a job is pinned to a node, with what happens while it is away', async () => {
  const { world, job } = shop();
  const { user, at } = await renderApp(`/jobs/${job.id}/edit`, { world });
  await choose(user, 'Choice of node', 'One node by its name');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByRole('combobox', { name: 'Node' })).getAttribute('aria-invalid')).toBe(
    'true',
  );
  await user.type(screen.getByRole('combobox', { name: 'Node' }), 'worker-2');
  expect(await screen.findByText('It is not online now.')).toBeTruthy();
  await choose(user, 'While it is not online', 'Then any node');
  await user.type(screen.getByRole('textbox', { name: 'Wait for it at most' }), '2m');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(at()).toBe(`/jobs/${job.id}`));
  expect(world.calls.find((c) => c.name === 'UpdateJob')?.variables.input).toMatchObject({
    routing: { strategy: 'PINNED', node: 'worker-2', fallback: 'ANY', fallbackAfter: '2m' },
  });
});

test('labels say how many nodes have them; the group’s routing is null again', async () => {
  const { world, job } = shop();
  job.routing = makeRouting({ strategy: 'LABELS', labels: { zone: 'a' } });
  const { user, at } = await renderApp(`/jobs/${job.id}/edit`, { world });
  expect(await screen.findByText('1 of 2 nodes have them now: worker-1')).toBeTruthy();
  const field = screen.getByRole('textbox', { name: 'Labels that a node must have' });
  await user.clear(field);
  await user.type(field, 'zone=z');
  expect(await screen.findByText(/No node has them now/)).toBeTruthy();
  await choose(user, 'Choice of node', 'As the group says');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(at()).toBe(`/jobs/${job.id}`));
  const sent = world.calls.find((c) => c.name === 'UpdateJob')?.variables.input;
  expect(sent).toMatchObject({ routing: null });
});

test('a group: every strategy is offered, and the takeover follows from what is typed', async () => {
  const { world, group } = shop();
  const { user } = await renderApp('/nodes', { world });
  const panel = within(await screen.findByRole('region', { name: 'shop / default' }));
  await user.click(panel.getByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/run elsewhere after at most 15 s\./)).toBeTruthy();
  const interval = dialog.getByRole('textbox', { name: 'Heartbeat' });
  await user.clear(interval);
  expect(dialog.queryByText(/run elsewhere after at most/)).toBeNull();
  await user.type(interval, '20s');
  expect(await dialog.findByText(/run elsewhere after at most 1 m\./)).toBeTruthy();
  await choose(user, 'Choice of node', 'By a key of the task');
  await user.type(dialog.getByRole('textbox', { name: 'Key' }), '/order/id');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(world.calls.find((c) => c.name === 'UpdateNodeGroup')?.variables.input).toMatchObject({
    id: group.id,
    heartbeatInterval: '20s',
    routingRule: { strategy: 'CONSISTENT_HASH', key: '/order/id' },
  });
});
