import { makeApp, makeGroup, makeJob, makeNode } from '@mock/factories';
import { World } from '@mock/world';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function shop() {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const job = makeJob(group, { description: 'Closes orders.' });
  world.apps.push(app);
  world.groups.push(group);
  world.nodes.push(makeNode(group));
  world.jobs.push(job);
  return { world, group, job };
}

async function fillIn(user: Awaited<ReturnType<typeof renderApp>>['user'], name: string) {
  await user.type(await screen.findByLabelText(/^Name/), name);
  await user.click(screen.getByRole('combobox', { name: /App \/ node group/ }));
  await user.click(await screen.findByRole('option', { name: 'shop / default' }));
  await user.type(screen.getByLabelText(/^Handler/), 'orders.close');
}

test('previews the trigger, marks what is wrong, and creates the job', async () => {
  const { world } = shop();
  const { user, at } = await renderApp('/jobs/new', { world });
  await fillIn(user, 'nightly');
  const expression = screen.getByLabelText(/^Cron expression/);
  await user.click(expression);
  await user.paste('*/5 61 * * *');
  expect(await screen.findByText(/61 is out of range/)).toBeTruthy();
  expect(document.querySelector('mark')?.textContent).toBe('6');
  await user.clear(expression);
  await user.paste('*/5 * * * *');
  expect(await screen.findByText('Every 5 minutes')).toBeTruthy();
  const fires = within(screen.getByRole('table', { name: 'Next fires' }));
  expect(fires.getAllByRole('row')).toHaveLength(9);
  await user.click(screen.getByRole('button', { name: 'Create job' }));
  await waitFor(() => expect(at()).toBe(`/jobs/${world.jobs[1]?.id}`));
  const sent = world.calls.find((c) => c.name === 'CreateJob')?.variables.input;
  expect(sent).toMatchObject({
    name: 'nightly',
    handler: 'orders.close',
    trigger: { cron: { expression: '*/5 * * * *', zone: 'UTC' } },
  });
});

test('an empty form names its gaps and goes to the first of them', async () => {
  const { world } = shop();
  const { user } = await renderApp('/jobs/new', { world });
  await user.click(await screen.findByRole('button', { name: 'Create job' }));
  expect(screen.getAllByText('This is needed.')).toHaveLength(4);
  expect(screen.getByText('4 fields need attention.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Name/)));
  expect(world.calls.some((c) => c.name === 'CreateJob')).toBe(false);
});

test("the server's refusal stands at its field and the form stays", async () => {
  const { world, job } = shop();
  const { user, at } = await renderApp('/jobs/new', { world });
  await fillIn(user, job.name);
  await user.click(screen.getByRole('radio', { name: 'Manual' }));
  await user.click(screen.getByRole('button', { name: 'Create job' }));
  expect(await screen.findByText(/has a job "close-unpaid-orders" already/)).toBeTruthy();
  expect(screen.getByLabelText(/^Name/).getAttribute('aria-invalid')).toBe('true');
  expect(at()).toBe('/jobs/new');
});

test('sends only what was changed, with the version it was based on', async () => {
  const { world, job } = shop();
  const { user, at } = await renderApp(`/jobs/${job.id}/edit`, { world });
  const description = await screen.findByLabelText('Description');
  await user.clear(description);
  await user.type(description, 'Closes them.');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(at()).toBe(`/jobs/${job.id}`));
  const sent = world.calls.find((c) => c.name === 'UpdateJob')?.variables.input;
  expect(sent).toEqual({ id: job.id, version: 1, description: 'Closes them.' });
});

test('a conflict is said at the head of the form', async () => {
  const { world, job } = shop();
  const { user } = await renderApp(`/jobs/${job.id}/edit`, { world });
  await user.type(await screen.findByLabelText('Description'), '!');
  job.version = 3;
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/The job is at version 3 by now/)).toBeTruthy();
});

test('says that somebody else saved meanwhile', async () => {
  const { world, job } = shop();
  const { session } = await renderApp(`/jobs/${job.id}/edit`, { world });
  await screen.findByLabelText('Description');
  Object.assign(job, { version: 2, description: 'Newer.' });
  const { EditableJobQuery } = await import('./queries');
  await act(async () => {
    await session.client.query(EditableJobQuery, { id: job.id }, { requestPolicy: 'network-only' });
  });
  expect(await screen.findByText(/Somebody saved version 2/)).toBeTruthy();
});

test('asks before unsaved changes are lost', async () => {
  const { world } = shop();
  const { user, at } = await renderApp('/jobs/new', { world });
  await user.type(await screen.findByLabelText(/^Name/), 'x');
  await user.click(screen.getByRole('link', { name: 'Overview' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(at()).toBe('/jobs/new');
  await user.click(screen.getByRole('link', { name: 'Overview' }));
  await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(at()).toBe('/'));
});

test('leaves an untouched form without asking', async () => {
  const { world } = shop();
  const { user, at } = await renderApp('/jobs/new', { world });
  await screen.findByLabelText(/^Name/);
  await user.click(screen.getByRole('link', { name: 'Overview' }));
  await waitFor(() => expect(at()).toBe('/'));
});

test('a copy has another name and is a new job', async () => {
  const { world, job } = shop();
  const { user } = await renderApp(`/jobs/new?from=${job.id}`, { world });
  const name = await screen.findByLabelText<HTMLInputElement>(/^Name/);
  expect(name.value).toBe('close-unpaid-orders-copy');
  await user.click(screen.getByRole('button', { name: 'Create job' }));
  await waitFor(() => expect(world.jobs).toHaveLength(2));
});

test('those who may not edit see why', async () => {
  const { world, job } = shop();
  if (world.viewer) world.viewer.role = 'OPERATOR';
  await renderApp(`/jobs/${job.id}/edit`, { world });
  expect(await screen.findByText('You may not edit jobs')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});
