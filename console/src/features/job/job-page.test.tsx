import { makeApp, makeGroup, makeJob, makeNode, makeTask } from '@mock/factories';
import { World } from '@mock/world';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function shop() {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const node = makeNode(group);
  const job = makeJob(group, {
    parameters: { limit: 50 },
    warnings: ['No node has the handler.'],
    skippedFires: [
      {
        firstAt: '2026-11-30T02:00:00Z',
        lastAt: '2026-11-30T02:10:00Z',
        count: '3',
        reason: 'MISFIRE',
        message: 'The server was down at that time.',
        recordedAt: '2026-11-30T02:20:00Z',
      },
    ],
  });
  world.apps.push(app);
  world.groups.push(group);
  world.nodes.push(node);
  world.jobs.push(job);
  return { world, job, node };
}

test('shows schedule, warnings, skipped fires, parameters and runs', async () => {
  const { world, job, node } = shop();
  world.tasks.push(makeTask(job, { nodeId: node.id, error: 'no route to host', state: 'FAILED' }));
  await renderApp(`/jobs/${job.id}`, { world });
  expect(await screen.findByRole('heading', { name: job.name })).toBeTruthy();
  expect(screen.getByText('No node has the handler.')).toBeTruthy();
  expect(screen.getByText('*/5 * * * *')).toBeTruthy();
  expect(screen.getByText('Unix cron: 0 and 7 are Sunday')).toBeTruthy();
  expect(screen.getByText('The server was down at that time.')).toBeTruthy();
  expect(await screen.findByText('no route to host')).toBeTruthy();
  expect(screen.getByRole('group', { name: 'Parameters' }).textContent).toContain('"limit": 50');
});

test('a run appears and changes by itself', async () => {
  const { world, job } = shop();
  await renderApp(`/jobs/${job.id}`, { world });
  expect(await screen.findByText('It has not run yet')).toBeTruthy();
  const run = makeTask(job, { state: 'RUNNING', duration: null, finishedAt: null });
  world.tasks.push(run);
  act(() => world.taskChanged(run));
  const runs = within(await screen.findByRole('table', { name: 'Last runs' }));
  expect(await runs.findByText('Running')).toBeTruthy();
  run.state = 'SUCCEEDED';
  run.duration = '2.5s';
  act(() => world.taskChanged(run));
  expect(await runs.findByText('Succeeded')).toBeTruthy();
  expect(runs.getByText('2.5 s')).toBeTruthy();
});

test('an edit made elsewhere is shown', async () => {
  const { world, job } = shop();
  await renderApp(`/jobs/${job.id}`, { world });
  await screen.findByRole('heading', { name: job.name });
  job.description = 'Edited elsewhere';
  act(() => world.jobChanged(job));
  expect(await screen.findByText('Edited elsewhere')).toBeTruthy();
});

test('pauses and resumes', async () => {
  const { world, job } = shop();
  const { user } = await renderApp(`/jobs/${job.id}`, { world });
  await user.click(await screen.findByRole('button', { name: 'Pause' }));
  expect(await screen.findByText('Paused: it does not fire until it is resumed.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Resume' }));
  await waitFor(() => expect(job.enabled).toBe(true));
});

test('deletes only after the name was typed', async () => {
  const { world, job } = shop();
  const { user, at } = await renderApp(`/jobs/${job.id}`, { world });
  await user.click(await screen.findByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('dialog'));
  const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete' });
  expect(button.disabled).toBe(true);
  await user.type(dialog.getByLabelText(`Type ${job.name} to confirm`), job.name);
  await user.click(button);
  await waitFor(() => expect(at()).toBe('/jobs'));
  expect(job.deletedAt).not.toBeNull();
  expect(await screen.findByText('No jobs yet')).toBeTruthy();
});

test('a viewer has no edit and no delete, and sees why not to run', async () => {
  const { world, job } = shop();
  if (world.viewer) world.viewer.role = 'VIEWER';
  await renderApp(`/jobs/${job.id}`, { world });
  const run = await screen.findByRole('button', { name: 'Run now' });
  expect(run.getAttribute('aria-description')).toContain('Needs the role operator');
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'More actions' })).toBeNull();
});

test('a job that does not exist', async () => {
  await renderApp('/jobs/nope', { world: shop().world });
  expect(await screen.findByText('There is no such job')).toBeTruthy();
});
