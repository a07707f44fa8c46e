import { makeApp, makeGroup, makeJob, makeTask } from '@mock/factories';
import { World } from '@mock/world';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

const skipped = {
  firstAt: '2026-11-30T02:00:00Z',
  lastAt: '2026-11-30T02:10:00Z',
  count: '3',
  reason: 'MISFIRE_COALESCED',
  message: 'The server was down at that time.',
  recordedAt: '2026-11-30T02:20:00Z',
};

function shop(over: Parameters<typeof makeJob>[1] = {}) {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const job = makeJob(group, { skippedFires: [skipped], ...over });
  world.apps.push(app);
  world.groups.push(group);
  world.jobs.push(job);
  if (world.viewer) world.viewer.timeZone = 'UTC';
  return { world, job };
}

const panel = async () =>
  within(await screen.findByRole('region', { name: 'Why did it not run?' }));
const asked = (world: World) =>
  world.calls.filter((call) => call.name === 'WhyNotRun').map((call) => call.variables);

test('a row of the skipped fires asks for its instant, in words and in the address', async () => {
  const { world, job } = shop();
  const { user, at } = await renderApp(`/jobs/${job.id}`, { world });
  const rows = within(await screen.findByRole('table', { name: 'Skipped fires' }));
  expect(rows.getByText('Missed; a later fire stands for it')).toBeTruthy();
  await user.click(rows.getByRole('link', { name: /Why did the fire of 2026-11-30 02:10:00/ }));
  await waitFor(() => expect(at()).toContain('why=2026-11-30T02%3A10%3A00Z'));
  const why = await panel();
  expect(await why.findByText('Missed')).toBeTruthy();
  expect(why.getByText(/No server was up at that time/)).toBeTruthy();
  expect(why.getByText('The server was down at that time.')).toBeTruthy();
  expect(why.getByLabelText<HTMLInputElement>('Instant (UTC)').value).toMatch(/^2026-11-30T02:10/);
  expect(asked(world)).toEqual([{ job: job.id, at: skipped.lastAt, locale: 'en' }]);
});

test('the link opens with the answer, and leads to the task and to the fires around', async () => {
  const { world, job } = shop();
  const task = makeTask(job, { state: 'SKIPPED', reason: 'OVERLAP' });
  world.tasks.push(task);
  const { user, at } = await renderApp(`/jobs/${job.id}?why=${task.scheduledAt}`, { world });
  const why = await panel();
  expect(await why.findByText('The run before still ran')).toBeTruthy();
  expect(why.getByRole('link', { name: 'Open the task' }).getAttribute('href')).toBe(
    `/tasks/${task.id}`,
  );
  await user.click(why.getByRole('button', { name: 'Ask for this one: Fire before' }));
  await waitFor(() => expect(at()).toContain('why=2026-11-30T07%3A15%3A00.000Z'));
  expect(await why.findByText('No fire is due then')).toBeTruthy();
  expect(why.queryByText('The run before still ran')).toBeNull();
  await user.click(why.getByRole('button', { name: 'Clear' }));
  await waitFor(() => expect(at()).toBe(`/jobs/${job.id}`));
  expect(why.queryByText('No fire is due then')).toBeNull();
});

test('asks for an instant typed on the wall clock of the job', async () => {
  localStorage.setItem('belfry.timeView', 'job');
  const { world, job } = shop();
  job.trigger.zone = 'Asia/Shanghai';
  const { user } = await renderApp(`/jobs/${job.id}`, { world });
  const why = await panel();
  const field = why.getByLabelText<HTMLInputElement>('Instant (Asia/Shanghai)');
  // The last fire is offered at first.
  expect(field.value).toMatch(/^2026-11-30T15:20/);
  await user.clear(field);
  expect(why.getByRole<HTMLButtonElement>('button', { name: 'Ask' }).disabled).toBe(true);
  await user.type(field, '2026-11-30T09:30:00');
  await user.click(why.getByRole('button', { name: 'Ask' }));
  expect(await why.findByText('No fire is due then')).toBeTruthy();
  expect(asked(world)[0]?.at).toBe('2026-11-30T01:30:00.000Z');
});

test('what stands in the address wrongly asks nothing', async () => {
  const { world, job } = shop();
  await renderApp(`/jobs/${job.id}?why=yesterday`, { world });
  expect(await (await panel()).findByText(/Choose the instant/)).toBeTruthy();
  expect(asked(world)).toEqual([]);
});

test('a failed question says so and can be asked again', async () => {
  const { world, job } = shop();
  world.faults.error = { only: 'WhyNotRun', code: 'INTERNAL', message: 'No answer today.' };
  const { user } = await renderApp(`/jobs/${job.id}?why=2026-11-30T02:05:00Z`, { world });
  const why = await panel();
  expect(await why.findByText('No answer today.')).toBeTruthy();
  world.faults.error = null;
  await user.click(why.getByRole('button', { name: 'Try again' }));
  expect(await why.findByText('Missed')).toBeTruthy();
});

test('a task that was skipped leads to the question', async () => {
  const { world, job } = shop();
  const task = makeTask(job, { state: 'SKIPPED', reason: 'OVERLAP' });
  world.tasks.push(task);
  const { user } = await renderApp(`/tasks/${task.id}`, { world });
  await user.click(await screen.findByRole('link', { name: 'Why did it not run?' }));
  expect(await (await panel()).findByText('The run before still ran')).toBeTruthy();
});

test('in Chinese', async () => {
  const { world, job } = shop();
  await renderApp(`/jobs/${job.id}?why=2026-11-30T02:05:00Z`, { world, locale: 'zh-CN' });
  expect(await screen.findByText('已错过')).toBeTruthy();
  expect(asked(world)[0]?.locale).toBe('zh-CN');
});
