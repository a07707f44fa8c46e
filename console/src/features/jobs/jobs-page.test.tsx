import { makeApp, makeGroup, makeJob } from '@mock/factories';
import { World } from '@mock/world';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function shop(count = 3) {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  world.apps.push(app);
  world.groups.push(group);
  for (let i = 1; i <= count; i++)
    world.jobs.push(makeJob(group, { name: `job-${String(i).padStart(3, '0')}` }));
  return { world, app, group };
}

const row = async (name: string) => {
  const link = await screen.findByRole('link', { name });
  const found = link.closest('tr');
  if (!found) throw new Error(`${name} is not in a row`);
  return within(found);
};

test('lists jobs and says what an empty list means', async () => {
  await renderApp('/jobs', { world: shop().world });
  expect(await screen.findByRole('link', { name: 'job-001' })).toBeTruthy();
  expect(screen.getAllByText('Every 5 minutes')).toHaveLength(3);
});

test('an empty installation has no table but a next step', async () => {
  await renderApp('/jobs');
  expect(await screen.findByText('No jobs yet')).toBeTruthy();
});

test('the search goes to the address and narrows the list', async () => {
  const { user, at, world } = await renderApp('/jobs', { world: shop(12).world });
  await user.type(await screen.findByRole('searchbox'), '012');
  await waitFor(() => expect(at()).toContain('q='));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'job-001' })).toBeNull());
  expect(screen.getByRole('link', { name: 'job-012' })).toBeTruthy();
  expect(world.calls.at(-1)?.variables.filter).toEqual({ search: '012' });
});

test('pages by cursor and comes back to the first page when a filter changes', async () => {
  const { user, at } = await renderApp('/jobs', { world: shop(70).world });
  await screen.findByRole('link', { name: 'job-001' });
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  expect(await screen.findByRole('link', { name: 'job-051' })).toBeTruthy();
  expect(at()).toContain('after=');
  await user.type(screen.getByRole('searchbox'), 'job');
  await waitFor(() => expect(at()).not.toContain('after='));
});

test('pauses from the row and says so', async () => {
  const { user, world } = await renderApp('/jobs', { world: shop().world });
  const actions = await row('job-002');
  await user.click(actions.getByRole('button', { name: 'Pause: job-002' }));
  expect(await screen.findByText('job-002 is paused. What runs goes on.')).toBeTruthy();
  expect(actions.getByText('Paused')).toBeTruthy();
  expect(world.jobs.find((j) => j.name === 'job-002')?.enabled).toBe(false);
});

test('pauses the ticked jobs in bulk', async () => {
  const { user, world } = await renderApp('/jobs', { world: shop().world });
  await user.click((await row('job-001')).getByRole('checkbox'));
  await user.click((await row('job-003')).getByRole('checkbox'));
  const bar = within(screen.getByRole('region', { name: 'Selected jobs' }));
  await user.click(bar.getByRole('button', { name: 'Pause' }));
  expect(await screen.findByText('2 jobs paused.')).toBeTruthy();
  expect(world.jobs.map((j) => j.enabled)).toEqual([false, true, false]);
});

test('a viewer sees why they may not pause', async () => {
  const { world } = shop();
  if (world.viewer) world.viewer.role = 'VIEWER';
  const { user } = await renderApp('/jobs', { world });
  const button = (await row('job-001')).getByRole('button', { name: 'Pause: job-001' });
  expect(button.getAttribute('aria-description')).toBe('Needs the role operator; yours is viewer.');
  await user.click(button);
  expect(world.calls.some((c) => c.name === 'PauseJob')).toBe(false);
});

test('runs a job with other parameters', async () => {
  const { user, world, at } = await renderApp('/jobs', { world: shop().world });
  await user.click((await row('job-001')).getByRole('button', { name: 'Run job-001' }));
  const field = await screen.findByRole('textbox', { name: 'Parameters' });
  await user.click(field);
  await user.paste('{"day": }');
  expect(await screen.findByText(/Line 1, column 9/)).toBeTruthy();
  await user.clear(field);
  await user.paste('{"day": 3}');
  await user.click(screen.getByRole('button', { name: 'Run' }));
  expect(await screen.findByText('job-001 was started.')).toBeTruthy();
  expect(world.tasks[0]?.parameters).toEqual({ day: 3 });
  await user.click(screen.getByRole('link', { name: 'Open the task' }));
  await waitFor(() => expect(at()).toBe(`/tasks/${world.tasks[0]?.id}`));
  expect(screen.queryByText('job-001 was started.')).toBeNull();
});

test('a job made elsewhere appears by itself', async () => {
  const { world, group } = shop();
  await renderApp('/jobs', { world });
  await screen.findByRole('link', { name: 'job-001' });
  const job = makeJob(group, { name: 'brand-new' });
  world.jobs.push(job);
  world.jobChanged(job);
  expect(await screen.findByRole('link', { name: 'brand-new' })).toBeTruthy();
});

test('shows the sentence of the server and reads again on request', async () => {
  const { world } = shop();
  const message = 'The ledger does not answer.';
  world.faults.error = { only: 'Jobs', code: 'INTERNAL', message, requestId: 'r-17' };
  const { user } = await renderApp('/jobs', { world });
  expect(await screen.findByText('The ledger does not answer.')).toBeTruthy();
  expect(screen.getByText('Request r-17')).toBeTruthy();
  world.faults.error = null;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: 'job-001' })).toBeTruthy();
});
