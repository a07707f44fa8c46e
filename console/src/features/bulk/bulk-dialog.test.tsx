import { bulkStep } from '@mock/bulk';
import { makeApp, makeGroup, makeJob, makeTask } from '@mock/factories';
import { World } from '@mock/world';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

/** A world with one task a state, all of one job. */
function shop(...states: string[]) {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const job = makeJob(group, { name: 'orders', parameters: { limit: 5, day: 'monday' } });
  world.apps.push(app);
  world.groups.push(group);
  world.jobs.push(job);
  for (const state of states) world.tasks.push(makeTask(job, { state }));
  return { world, job };
}

const failed = '/tasks?states=["FAILED"]';

async function openMenu(address: string, world: World) {
  const app = await renderApp(address, { world });
  await app.user.click(await screen.findByRole('button', { name: 'All that match' }));
  const entry = (name: RegExp) => screen.findByRole('menuitem', { name });
  return { ...app, entry };
}

async function openDialog(address: string, world: World, deed: RegExp) {
  const app = await openMenu(address, world);
  await app.user.click(await app.entry(deed));
  const dialog = within(await screen.findByRole('dialog'));
  const button = (name: string) => dialog.getByRole<HTMLButtonElement>('button', { name });
  return { ...app, dialog, button };
}

const creations = (world: World) => world.calls.filter((c) => c.name === 'CreateBulkOperation');

test('all that match are counted, and those alone are done, once, with their progress', async () => {
  const { world, job } = shop('FAILED', 'SUCCEEDED', 'FAILED', 'FAILED');
  const { user, dialog, button, at } = await openDialog(failed, world, /^Run again/);
  expect(await dialog.findByText('3 tasks, and no others')).toBeTruthy();
  // What comes after the count is not meant.
  const late = makeTask(job, { state: 'FAILED', scheduledAt: '2999-01-01T00:00:00Z' });
  world.tasks.push(late);
  await user.type(dialog.getByRole('textbox', { name: 'Reason, for the record' }), ' mended ');
  await user.dblClick(button('Run 3 tasks again'));
  expect(await dialog.findByText(/It is under way/)).toBeTruthy();
  const [bulk] = world.bulks;
  if (!bulk) throw new Error('no operation');
  const sent = creations(world)[0]?.variables.input;
  expect(sent).toMatchObject({ kind: 'RETRY', filter: { states: ['FAILED'] }, reason: 'mended' });
  expect(sent).toHaveProperty('asOf');
  expect(sent).toHaveProperty('requestId');
  expect(world.bulks).toHaveLength(1);

  const bar = dialog.getByRole('progressbar', { name: 'Progress' });
  act(() => bulkStep(world, bulk, 1));
  await waitFor(() => expect(bar.getAttribute('aria-valuenow')).toBe('33'));
  await user.click(button('Go on in the background'));
  await user.click(await screen.findByRole('link', { name: 'Watch it' }));
  await waitFor(() => expect(at()).toBe(`/bulk/${bulk.id}`));
  act(() => bulkStep(world, bulk));
  expect(await screen.findByText('Finished')).toBeTruthy();
  expect(world.tasks.map((task) => task.state)).toEqual([
    'RETRYING',
    'SUCCEEDED',
    'RETRYING',
    'RETRYING',
    'FAILED',
  ]);
});

test('edit and run again: merged or replaced, with the server’s refusal at the field', async () => {
  const { world } = shop('FAILED', 'FAILED');
  const { user, dialog, button } = await openDialog(failed, world, /^Edit and run again/);
  expect(await dialog.findByText('2 tasks, and no others')).toBeTruthy();
  const submit = () => button('Edit and run 2 tasks again');
  expect(submit().disabled).toBe(true);
  const field = dialog.getByRole('textbox', { name: 'Members to set' });
  await user.click(field);
  await user.paste('[1]');
  await user.click(submit());
  expect(await dialog.findByText(/patch must be a JSON object/)).toBeTruthy();
  expect(field.getAttribute('aria-invalid')).toBe('true');
  await user.clear(field);
  await user.paste('{"limit": 50, "day": null}');
  await user.click(submit());
  await dialog.findByText(/It is under way/);
  const [bulk] = world.bulks;
  if (!bulk) throw new Error('no operation');
  act(() => bulkStep(world, bulk));
  expect(await dialog.findByText('It has come to each of its tasks.')).toBeTruthy();
  expect(dialog.getByText('Close')).toBeTruthy();
  expect(world.tasks.map((task) => task.parameters)).toEqual([{ limit: 50 }, { limit: 50 }]);
});

test('replacing all sends the whole value in place of a patch', async () => {
  const { world } = shop('FAILED');
  const { user, dialog, button } = await openDialog(failed, world, /^Edit and run again/);
  await dialog.findByText('1 task, and no other');
  await user.click(dialog.getByText('Replace all'));
  await user.click(dialog.getByRole('textbox', { name: 'New parameters' }));
  await user.paste('[1, 2]');
  await user.click(button('Edit and run 1 task again'));
  await dialog.findByText(/It is under way/);
  const sent = creations(world)[0]?.variables.input;
  expect(sent).toMatchObject({ parameters: [1, 2] });
  expect(sent).not.toHaveProperty('patch');
});

test('what the filter’s states do not allow is off, with the reason', async () => {
  const { world } = shop('RUNNING', 'FAILED');
  const { user, entry } = await openMenu('/tasks?states=["RUNNING","FAILED"]', world);
  const retry = await entry(/^Run again/);
  expect(retry.getAttribute('aria-disabled')).toBe('true');
  expect(retry.textContent).toContain('The filter includes Running');
  await user.click(retry);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect((await entry(/^Discard/)).textContent).toContain('only failed tasks can be discarded');
  const cancel = await entry(/^Cancel the tasks/);
  expect(cancel.getAttribute('aria-disabled')).toBeNull();
  expect(cancel.textContent).toContain('Those that are Running or Failed');
});

test('a viewer has neither the menu nor rows to tick', async () => {
  const { world } = shop('FAILED');
  if (world.viewer) world.viewer.role = 'VIEWER';
  await renderApp(failed, { world });
  await screen.findByRole('link', { name: 'orders' });
  expect(screen.queryByRole('button', { name: 'All that match' })).toBeNull();
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.getByRole('link', { name: 'Bulk operations' })).toBeTruthy();
});

test('none that match cannot be begun; ten thousand are counted', async () => {
  const { world, job } = shop('SUCCEEDED');
  const { user, dialog, button } = await openDialog('/tasks', world, /^Discard/);
  expect(await dialog.findByText('No task matches that allows this.')).toBeTruthy();
  expect(button('Discard').disabled).toBe(true);
  for (let i = 0; i < 10_000; i++) world.tasks.push(makeTask(job, { state: 'FAILED' }));
  await user.click(button('Count again'));
  expect(await dialog.findByText('10,000 tasks, and no others')).toBeTruthy();
  expect(button('Discard 10,000 tasks').disabled).toBe(false);
});

test('a count that fails, or comes late, says so, and nothing can be begun before', async () => {
  const { world } = shop('FAILED');
  world.faults.error = { only: 'BulkPreview', code: 'INTERNAL', message: 'No count today.' };
  const { user, dialog, button } = await openDialog(failed, world, /^Discard/);
  expect(await dialog.findByText('No count today.')).toBeTruthy();
  expect(button('Discard').disabled).toBe(true);
  world.faults.error = null;
  world.faults.late = { only: 'BulkPreview', ms: 3_500 };
  await user.click(button('Try again'));
  expect(await dialog.findByText(/The server is taking its time/)).toBeTruthy();
  expect(await dialog.findByText('1 task, and no other')).toBeTruthy();
  expect(button('Discard 1 task').disabled).toBe(false);
});

test('a creation that fails leaves the form; the same request is sent again', async () => {
  const { world } = shop('FAILED');
  const { user, dialog, button } = await openDialog(failed, world, /^Discard/);
  await dialog.findByText('1 task, and no other');
  world.faults.error = { only: 'CreateBulkOperation', code: 'INTERNAL', message: 'Not now.' };
  await user.click(button('Discard 1 task'));
  expect(await screen.findByText('Not now.')).toBeTruthy();
  world.faults.error = null;
  await user.click(button('Discard 1 task'));
  await dialog.findByText(/It is under way/);
  expect(world.bulks).toHaveLength(1);
  await user.click(button('Stop'));
  expect(await dialog.findByText(/It was stopped/)).toBeTruthy();
  expect(world.tasks[0]?.state).toBe('FAILED');
});
