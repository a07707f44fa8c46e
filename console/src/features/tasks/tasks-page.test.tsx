import { bulkStep } from '@mock/bulk';
import { makeApp, makeGroup, makeJob, makeTask } from '@mock/factories';
import { World } from '@mock/world';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

/** A world with one task a state, each of a job that is named after it. */
function shop(...states: string[]) {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  world.apps.push(app);
  world.groups.push(group);
  for (const state of states) {
    const job = makeJob(group, { name: `job-${world.jobs.length + 1}` });
    world.jobs.push(job);
    world.tasks.push(makeTask(job, { state }));
  }
  return { world, group };
}

const row = async (name: string) => {
  const link = await screen.findByRole('link', { name });
  const found = link.closest('tr');
  if (!found) throw new Error(`${name} is not in a row`);
  return within(found);
};

test('lists tasks; an empty list says why', async () => {
  await renderApp('/tasks', { world: shop('RUNNING', 'FAILED').world });
  expect((await row('job-1')).getByText('Running')).toBeTruthy();
  expect((await row('job-2')).getByText('Failed')).toBeTruthy();
});

test('nothing there, nothing failed and nothing matching are different texts', async () => {
  const { router } = await renderApp('/tasks');
  expect(await screen.findByText('No task yet')).toBeTruthy();
  await router.navigate({ to: '/tasks', search: { states: ['FAILED'] } });
  expect(await screen.findByText('The failed queue is empty')).toBeTruthy();
  await router.navigate({ to: '/tasks', search: { q: 'none' } });
  expect(await screen.findByText('No task matches')).toBeTruthy();
});

test('a search that looked at enough says how far it came and goes on', async () => {
  const { world } = shop('FAILED');
  world.searchedTo = '2026-03-01T10:00:00Z';
  const { user, at } = await renderApp('/tasks', { world });
  expect(await screen.findByText(/looked at tasks back to/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Search further back' }));
  await row('job-1');
  expect(at()).toContain('after=');
  expect(screen.queryByText(/looked at tasks back to/)).toBeNull();
});

test('the menu leads to the failed queue and counts it', async () => {
  const { user, at, world } = await renderApp('/tasks', {
    world: shop('FAILED', 'SUCCEEDED').world,
  });
  await row('job-2');
  const menu = within(screen.getByRole('navigation', { name: 'Main menu' }));
  expect(await menu.findByText('1 task in it')).toBeTruthy();
  expect(menu.getByRole('link', { name: 'Tasks' }).getAttribute('aria-current')).toBe('page');
  await user.keyboard('gf');
  await waitFor(() => expect(at()).toContain('FAILED'));
  expect(await screen.findByRole('heading', { name: 'Failed queue' })).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('link', { name: 'job-2' })).toBeNull());
  expect(menu.getByRole('link', { name: 'Tasks' }).getAttribute('aria-current')).toBeNull();
  for (const task of world.tasks) task.state = 'SUCCEEDED';
  world.overviewChanged();
  await waitFor(() => expect(menu.queryByText('1 task in it')).toBeNull());
});

test('filters stand in the address and go to the server; a change goes to the first page', async () => {
  const { user, at, world } = await renderApp('/tasks?after=0&q=abc', {
    world: shop('RUNNING', 'FAILED').world,
  });
  const field = await screen.findByRole('searchbox', { name: 'TaskId or unique key' });
  expect((field as HTMLInputElement).value).toBe('abc');
  await user.click(await screen.findByRole('combobox', { name: 'Trigger' }));
  await user.click(await screen.findByRole('option', { name: 'Manual' }));
  await waitFor(() => expect(at()).toContain('trigger=MANUAL'));
  expect(at()).not.toContain('after=');
  await waitFor(() =>
    expect(world.calls.filter((call) => call.name === 'Tasks').at(-1)?.variables.filter).toEqual({
      search: 'abc',
      trigger: 'MANUAL',
    }),
  );
  await user.click(screen.getByText('Reset filters'));
  expect(await screen.findByRole('link', { name: 'job-1' })).toBeTruthy();
});

test('what stands in the address wrongly is not asked for', async () => {
  const { world } = await renderApp('/tasks?states=ODD&trigger=x&from=yesterday', {
    world: shop('FAILED').world,
  });
  await row('job-1');
  expect(world.calls.find((call) => call.name === 'Tasks')?.variables.filter).toEqual({});
});

test('a task changes, appears and leaves the filter by itself', async () => {
  const { world, group } = shop('RUNNING');
  await renderApp('/tasks?states=["RUNNING"]', { world });
  expect((await row('job-1')).getByText('Running')).toBeTruthy();
  const job = makeJob(group, { name: 'fresh' });
  world.jobs.push(job);
  const task = makeTask(job, { state: 'RUNNING' });
  world.tasks.push(task);
  world.taskChanged(task);
  expect(await screen.findByRole('link', { name: 'fresh' })).toBeTruthy();
  const [first] = world.tasks;
  if (!first) throw new Error('no task');
  first.state = 'SUCCEEDED';
  world.taskChanged(first);
  await waitFor(() => expect(screen.queryByRole('link', { name: 'job-1' })).toBeNull());
});

test('is read again after the line was cut', async () => {
  const { world, line } = await renderApp('/tasks', { world: shop('RUNNING').world });
  await row('job-1');
  line.drop();
  const [task] = world.tasks;
  if (task) task.state = 'SUCCEEDED';
  line.mend();
  expect(await (await row('job-1')).findByText('Succeeded')).toBeTruthy();
});

test('rows stay while they are read again, late or anew, and when nothing about them is asked differently', async () => {
  const { world, group } = shop('RUNNING', 'FAILED');
  const { line, router, session } = await renderApp('/tasks?states=["RUNNING","FAILED"]', {
    world,
  });
  await row('job-1');
  const table = screen.getByRole('table', { name: 'Tasks' });
  // Every change is seen, not only what stands in the end.
  const fallen: string[] = [];
  new MutationObserver(() => {
    if (table.getAttribute('aria-busy') === 'true' || !table.isConnected) fallen.push('skeleton');
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
  const asked = () => world.calls.filter((call) => call.name === 'Tasks').length;

  // A reconnect and the end of a pause read again; so does a task that this page does not know.
  world.faults.late = { only: 'Tasks', ms: 300 };
  line.drop();
  line.mend();
  await waitFor(() => expect(asked()).toBe(2));
  act(() => session.live.pause());
  act(() => session.live.resume());
  await waitFor(() => expect(asked()).toBe(3));
  const job = makeJob(group, { name: 'fresh' });
  const fresh = makeTask(job, { state: 'RUNNING' });
  world.jobs.push(job);
  world.tasks.push(fresh);
  world.taskChanged(fresh);
  await row('fresh');
  // Another address for the same selection.
  await act(() => router.navigate({ to: '/tasks', search: { states: ['FAILED', 'RUNNING'] } }));
  await row('job-2');
  // Another selection keeps the rows until the new ones are there.
  await act(() => router.navigate({ to: '/tasks', search: { group: group.id } }));
  await waitFor(() => expect(world.calls.at(-1)?.variables.filter).toEqual({ group: group.id }));
  await row('job-1');
  expect(fallen).toEqual([]);
});

test.each([
  ['RUNNING', 'Cancel the task', 'CancelTask', 'The task is cancelled, or told to end.'],
  ['FAILED', 'Run again', 'RetryTask', 'The task runs again.'],
  ['FAILED', 'Discard', 'DiscardTask', 'The task was discarded.'],
])('a %s task: %s asks first', async (state, deed, operation, done) => {
  const { user, world } = await renderApp('/tasks', { world: shop(state).world });
  await user.click((await row('job-1')).getByRole('button', { name: deed }));
  const dialog = within(await screen.findByRole('dialog'));
  const call = () => world.calls.find((each) => each.name === operation);
  expect(call()).toBeUndefined();
  const reason = dialog.queryByRole('textbox', { name: 'Reason, for the record' });
  if (reason) await user.type(reason, ' too late ');
  await user.click(dialog.getByRole('button', { name: deed }));
  expect(await screen.findByText(done)).toBeTruthy();
  const id = world.tasks[0]?.id;
  expect(call()?.variables).toEqual(reason ? { id, reason: 'too late' } : { id });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a finished task is run again as a new one, and the message leads there', async () => {
  const { user, world, at } = await renderApp('/tasks', { world: shop('SUCCEEDED').world });
  await user.click((await row('job-1')).getByRole('button', { name: 'Run again' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Run again' }));
  expect(await screen.findByText('The task was run again as a new one.')).toBeTruthy();
  const [first, second] = world.tasks;
  expect(first?.state).toBe('SUCCEEDED');
  await user.click(screen.getByRole('link', { name: 'Open the new task' }));
  await waitFor(() => expect(at()).toBe(`/tasks/${second?.id}`));
  expect(second?.rootId).toBe(first?.id);
});

test('a refusal stays in the dialog', async () => {
  const { world } = shop('RUNNING');
  const message = 'The task has ended already. Nothing was changed.';
  world.refusals.set(world.tasks[0]?.id ?? '', message);
  const { user } = await renderApp('/tasks', { world });
  await user.click((await row('job-1')).getByRole('button', { name: 'Cancel the task' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Cancel the task' }));
  expect(await dialog.findByText(message)).toBeTruthy();
  expect(screen.queryByText('The task is cancelled, or told to end.')).toBeNull();
});

test('bulk deeds go to those they fit in one operation, and name each that was refused', async () => {
  const { world } = shop('FAILED', 'FAILED', 'SUCCEEDED', 'FAILED');
  const refused = world.tasks[1]?.id ?? '';
  world.refusals.set(refused, 'Somebody was faster.');
  const { user } = await renderApp('/tasks', { world });
  await row('job-1');
  await user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }));
  const bar = within(screen.getByRole('region', { name: 'Selected tasks' }));
  await user.click(bar.getByRole('button', { name: 'Discard 3' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Discard 3 tasks?' }));
  await user.click(dialog.getByRole('button', { name: 'Discard 3 tasks' }));
  await dialog.findByText(/It is under way/);
  expect(world.calls.some((call) => call.name === 'DiscardTask')).toBe(false);
  const [bulk] = world.bulks;
  if (!bulk) throw new Error('no operation');
  act(() => bulkStep(world, bulk));
  const refusals = within(await dialog.findByRole('list', { name: '1 was refused' }));
  expect(await refusals.findByText('Somebody was faster.')).toBeTruthy();
  expect(refusals.getByRole('link', { name: 'job-2' })).toBeTruthy();
  expect(world.tasks.map((task) => task.state)).toEqual([
    'DISCARDED',
    'FAILED',
    'SUCCEEDED',
    'DISCARDED',
  ]);
});

test('a single ticked row is changed at once, an edit with its own parameters to begin with', async () => {
  const { world } = shop('FAILED', 'RUNNING');
  const [task] = world.tasks;
  if (task) task.parameters = { day: 3 };
  const { user } = await renderApp('/tasks', { world });
  await row('job-1');
  await user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }));
  const bar = within(screen.getByRole('region', { name: 'Selected tasks' }));
  await user.click(bar.getByRole('button', { name: 'Edit 1 and run again' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit and run again' }));
  const field = await dialog.findByRole<HTMLTextAreaElement>('textbox', { name: 'Parameters' });
  expect(JSON.parse(field.value)).toEqual({ day: 3 });
  await user.clear(field);
  await user.paste('{"day": 4}');
  await user.click(dialog.getByRole('button', { name: 'Run again' }));
  expect(await screen.findByText('The task runs again.')).toBeTruthy();
  const call = world.calls.find((each) => each.name === 'RetryTask');
  expect(call?.variables).toEqual({ id: task?.id, parameters: { day: 4 } });
  expect(world.bulks).toEqual([]);
});

test('a viewer sees why they may not cancel', async () => {
  const { world } = shop('RUNNING');
  if (world.viewer) world.viewer.role = 'VIEWER';
  await renderApp('/tasks', { world });
  const button = (await row('job-1')).getByRole('button', { name: 'Cancel the task' });
  expect(button.getAttribute('aria-description')).toBe('Needs the role operator; yours is viewer.');
});
