import { cron, makeApp, makeGroup, makeJob, makeTask } from '@mock/factories';
import { World } from '@mock/world';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function shop() {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const job = makeJob(group, { name: 'orders' });
  const after = makeJob(group, {
    name: 'report',
    trigger: { ...cron('x'), kind: 'DEPENDENCY', upstream: [{ jobId: job.id, on: 'SUCCESS' }] },
  });
  world.apps.push(app);
  world.groups.push(group);
  world.jobs.push(job, after);
  if (world.viewer) world.viewer.timeZone = 'UTC';
  return { world, job, after };
}

test('shows the tasks before and after it, with links', async () => {
  const { world, job, after } = shop();
  const first = makeTask(job);
  const second = makeTask(after, { trigger: 'DEPENDENCY', upstreamIds: [first.id] });
  const third = makeTask(job, { upstreamIds: [second.id], state: 'FAILED' });
  world.tasks.push(first, second, third);
  await renderApp(`/tasks/${second.id}`, { world });
  const before = within(await screen.findByRole('list', { name: 'Made by the end of' }));
  expect(before.getByRole('link', { name: 'orders' }).getAttribute('href')).toBe(
    `/tasks/${first.id}`,
  );
  const behind = within(screen.getByRole('list', { name: 'Its end made' }));
  expect(behind.getByText('Failed')).toBeTruthy();
});

test('a task that stands alone has no chain; one that it makes appears by itself', async () => {
  const { world, job, after } = shop();
  const first = makeTask(job, { state: 'RUNNING', finishedAt: null, duration: null });
  world.tasks.push(first);
  await renderApp(`/tasks/${first.id}`, { world });
  await screen.findByRole('heading', { name: 'orders' });
  await waitFor(() => expect(world.calls.some((call) => call.name === 'TaskChain')).toBe(true));
  expect(screen.queryByRole('region', { name: 'Chain' })).toBeNull();
  Object.assign(first, { state: 'SUCCEEDED', finishedAt: '2026-11-30T07:30:00Z' });
  const second = makeTask(after, { upstreamIds: [first.id] });
  world.tasks.push(second);
  act(() => world.taskChanged(first));
  const made = within(await screen.findByRole('list', { name: 'Its end made' }));
  expect(made.getByRole('link', { name: 'report' })).toBeTruthy();
});

const waiting = { state: 'WAITING', startedAt: null, finishedAt: null, duration: null, attempt: 0 };

test('a waiting task is rescheduled: a delay with its refusal, an instant, at once', async () => {
  const { world, job } = shop();
  const task = makeTask(job, { ...waiting, availableAt: '2030-01-01T08:00:00Z' });
  world.tasks.push(task);
  const { user } = await renderApp(`/tasks/${task.id}`, { world });
  const sent = () => world.calls.filter((call) => call.name === 'RescheduleTask').at(-1)?.variables;
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Reschedule' }));
    return within(await screen.findByRole('dialog', { name: 'Reschedule the task' }));
  };
  let dialog = await open();
  const delay = dialog.getByRole('textbox', { name: 'Delay' });
  await user.clear(delay);
  await user.type(delay, 'soon');
  await user.click(dialog.getByRole('button', { name: 'Reschedule' }));
  expect(await dialog.findByText(/delay is "soon"/)).toBeTruthy();
  await user.clear(delay);
  await user.type(delay, '5m');
  await user.click(dialog.getByRole('button', { name: 'Reschedule' }));
  expect(await screen.findByText('The task was rescheduled.')).toBeTruthy();
  expect(sent()).toEqual({ id: task.id, delay: '5m' });

  task.availableAt = '2030-01-01T08:00:00Z';
  act(() => world.taskChanged(task));
  dialog = await open();
  await user.click(dialog.getByRole('radio', { name: 'At an instant' }));
  const field = dialog.getByLabelText<HTMLInputElement>('Instant (UTC)');
  await user.clear(field);
  await user.type(field, '2030-02-03T04:05:06');
  await user.click(dialog.getByRole('button', { name: 'Reschedule' }));
  await waitFor(() => expect(sent()).toEqual({ id: task.id, runAt: '2030-02-03T04:05:06.000Z' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  dialog = await open();
  await user.click(dialog.getByRole('radio', { name: 'At once' }));
  await user.click(dialog.getByRole('button', { name: 'Reschedule' }));
  await waitFor(() => expect(sent()).toEqual({ id: task.id }));
});

test('a refusal stays in the dialog, and an ended task has no such button', async () => {
  const { world, job } = shop();
  const task = makeTask(job, waiting);
  world.tasks.push(task);
  world.refusals.set(task.id, 'The task runs already.');
  const { user } = await renderApp(`/tasks/${task.id}`, { world });
  await user.click(await screen.findByRole('button', { name: 'Reschedule' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Reschedule' }));
  expect(await dialog.findByText('The task runs already.')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  task.state = 'SUCCEEDED';
  act(() => world.taskChanged(task));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Reschedule' })).toBeNull());
});
