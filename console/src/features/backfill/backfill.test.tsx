import { makeBackfill } from '@mock/backfill';
import { cron, makeApp, makeGroup, makeJob, makeTask } from '@mock/factories';
import { World } from '@mock/world';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function shop(over: Parameters<typeof makeJob>[1] = {}) {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const job = makeJob(group, { name: 'orders', parameters: { limit: 5 }, ...over });
  world.apps.push(app);
  world.groups.push(group);
  world.jobs.push(job);
  if (world.viewer) world.viewer.timeZone = 'UTC';
  return { world, job };
}

async function dialogOf(world: World, jobId: string) {
  const app = await renderApp(`/jobs/${jobId}`, { world });
  await app.user.click(await screen.findByRole('button', { name: 'Backfill' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Backfill orders' }));
  const field = (name: RegExp) => dialog.getByLabelText<HTMLInputElement>(name);
  const put = async (name: RegExp, text: string) => {
    await app.user.clear(field(name));
    await app.user.type(field(name), text);
  };
  return { ...app, dialog, put };
}

test('previews as one types, starts, and leads to the backfill', async () => {
  const { world, job } = shop();
  world.tasks.push(makeTask(job, { scheduledAt: '2026-11-20T10:05:00Z' }));
  const { user, dialog, put, at } = await dialogOf(world, job.id);
  await put(/^From/, '2026-11-20T10:00:00');
  await put(/^To, not included/, '2026-11-20T11:00:00');
  expect(await dialog.findByText('11 tasks will be made')).toBeTruthy();
  const preview = within(dialog.getByRole('region', { name: 'Preview' }));
  expect(preview.getByText('12')).toBeTruthy();
  expect(preview.getByText('left as they are')).toBeTruthy();
  expect(preview.getByText('2026-11-20 10:55:00')).toBeTruthy();

  await user.click(dialog.getByRole('checkbox', { name: /Only fires that have not run/ }));
  expect(await dialog.findByText('12 tasks will be made')).toBeTruthy();
  expect(preview.getByText('run again')).toBeTruthy();
  await put(/^Tasks a minute/, '6');
  await user.click(dialog.getByRole('button', { name: 'Start the backfill' }));
  await waitFor(() => expect(at()).toBe(`/backfills/${world.backfills[0]?.id}`));
  expect(await screen.findByText('The backfill of orders has begun.')).toBeTruthy();
  const sent = world.calls.find((call) => call.name === 'CreateBackfill')?.variables.input;
  expect(sent).toMatchObject({
    job: job.id,
    from: '2026-11-20T10:00:00.000Z',
    to: '2026-11-20T11:00:00.000Z',
    onlyMissing: false,
    perMinute: 6,
    maxRunning: 10,
  });
  // Parameters that were not touched stay the job's own.
  expect(sent).not.toHaveProperty('parameters');
  expect(sent).toHaveProperty('requestId');
});

test('a range the wrong way round is refused at its field, and nothing can be started', async () => {
  const { world, job } = shop();
  const { dialog, put } = await dialogOf(world, job.id);
  await put(/^To, not included/, '2020-01-01T00:00:00');
  expect(await dialog.findByText(/which is not after from/)).toBeTruthy();
  const start = dialog.getByRole<HTMLButtonElement>('button', { name: 'Start the backfill' });
  expect(start.disabled).toBe(true);
});

test('an empty range starts nothing', async () => {
  const { world, job } = shop();
  const { dialog, put } = await dialogOf(world, job.id);
  await put(/^From/, '2026-11-20T10:01:00');
  await put(/^To, not included/, '2026-11-20T10:02:00');
  expect(await dialog.findByText('No fire lies in this range.')).toBeTruthy();
  expect(
    dialog.getByRole<HTMLButtonElement>('button', { name: 'Start the backfill' }).disabled,
  ).toBe(true);
});

test('ranges by one press are days of the job’s zone', async () => {
  localStorage.setItem('belfry.timeView', 'job');
  const { world, job } = shop();
  job.trigger.zone = 'Asia/Shanghai';
  const { user, dialog } = await dialogOf(world, job.id);
  await user.click(dialog.getByRole('button', { name: 'Last 7 days' }));
  const from = dialog.getByLabelText<HTMLInputElement>('From (Asia/Shanghai)').value;
  expect(from).toMatch(/T00:00(:00)?$/);
});

test('a preview that fails says so and leaves the form', async () => {
  const { world, job } = shop();
  world.faults.error = { only: 'BackfillPreview', code: 'INTERNAL', message: 'No preview today.' };
  const { dialog } = await dialogOf(world, job.id);
  expect(await dialog.findByText('No preview today.')).toBeTruthy();
  expect(dialog.getByRole('button', { name: 'Start the backfill' })).toBeTruthy();
});

test('a job without a schedule has nothing to backfill, and a viewer may not', async () => {
  const { world, job } = shop({ trigger: { ...cron('x'), kind: 'MANUAL' } });
  const { unmount } = await renderApp(`/jobs/${job.id}`, { world });
  let button = await screen.findByRole('button', { name: 'Backfill' });
  expect(button.getAttribute('aria-description')).toMatch(/only jobs with a schedule/);
  unmount();
  if (world.viewer) world.viewer.role = 'VIEWER';
  await renderApp(`/jobs/${job.id}`, { world });
  button = await screen.findByRole('button', { name: 'Backfill' });
  expect(button.getAttribute('aria-description')).toContain('Needs the role operator');
});

test('the job page lists backfills a page at a time, the running one live; none, no list', async () => {
  const { world, job } = shop();
  const first = await renderApp(`/jobs/${job.id}`, { world });
  await screen.findByText('It has not run yet');
  await waitFor(() => expect(world.calls.some((c) => c.name === 'JobBackfills')).toBe(true));
  expect(screen.queryByRole('region', { name: 'Backfills' })).toBeNull();
  first.unmount();

  for (let i = 0; i < 7; i++) {
    const createdAt = `2026-11-2${i}T00:00:00Z`;
    world.backfills.push(
      makeBackfill(job.id, { state: i === 6 ? 'RUNNING' : 'FINISHED', total: 100, createdAt }),
    );
  }
  const { user } = await renderApp(`/jobs/${job.id}`, { world });
  const table = within(await screen.findByRole('table', { name: 'Backfills' }));
  expect(table.getAllByRole('row')).toHaveLength(6);
  const bar = table.getAllByRole('progressbar')[0];
  expect(bar?.getAttribute('aria-valuenow')).toBe('0');
  const running = world.backfills[6];
  if (!running) throw new Error('no backfill');
  running.more = { created: 60, succeeded: 50, failed: 2, cancelled: 0 };
  act(() => world.backfillChanged(running));
  await waitFor(() => expect(bar?.getAttribute('aria-valuenow')).toBe('52'));
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await waitFor(() => expect(table.getAllByRole('row')).toHaveLength(3));
});

test('the page follows it to its end, with links to its tasks by outcome', async () => {
  const { world, job } = shop();
  const backfill = makeBackfill(job.id, { total: 4, present: 1 });
  world.backfills.push(backfill);
  await renderApp(`/backfills/${backfill.id}`, { world });
  expect(await screen.findByRole('heading', { name: 'Backfill of orders' })).toBeTruthy();
  expect(await screen.findByText('No task has been made yet')).toBeTruthy();
  const task = makeTask(job, { backfillId: backfill.id, state: 'RUNNING', finishedAt: null });
  world.tasks.push(task);
  act(() => world.taskChanged(task));
  act(() => world.backfillChanged(backfill));
  const tasks = within(await screen.findByRole('table', { name: 'Its tasks' }));
  expect(await tasks.findByText('Running')).toBeTruthy();
  const bar = screen.getByRole('progressbar', { name: 'Progress' });
  expect(bar.getAttribute('aria-valuenow')).toBe('25');

  Object.assign(task, { state: 'FAILED', error: 'too bad' });
  backfill.more = { created: 2, succeeded: 2, failed: 0, cancelled: 0 };
  Object.assign(backfill, { state: 'FINISHED', finishedAt: '2026-11-30T08:00:00Z' });
  act(() => world.taskChanged(task));
  act(() => world.backfillChanged(backfill));
  expect(await screen.findByText('Finished')).toBeTruthy();
  expect(bar.getAttribute('aria-valuenow')).toBe('100');
  const failed = screen.getByRole('link', { name: '1' });
  expect(failed.getAttribute('href')).toContain(`backfill=${backfill.id}`);
  expect(failed.getAttribute('href')).toContain('FAILED');
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
});

test('pauses, resumes, and cancels after asking, with its waiting tasks', async () => {
  const { world, job } = shop();
  const backfill = makeBackfill(job.id);
  world.backfills.push(backfill);
  const task = makeTask(job, { backfillId: backfill.id, state: 'WAITING', finishedAt: null });
  world.tasks.push(task);
  const { user } = await renderApp(`/backfills/${backfill.id}`, { world });
  await user.click(await screen.findByRole('button', { name: 'Pause' }));
  expect(await screen.findByText(/no further task is made until it is resumed/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Resume' }));
  expect(await screen.findByText('The backfill goes on.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Cancel the backfill' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this backfill?' }));
  expect(backfill.state).toBe('RUNNING');
  await user.type(dialog.getByRole('textbox', { name: 'Reason, for the record' }), 'wrong range');
  await user.click(dialog.getByRole('button', { name: 'Cancel the backfill' }));
  expect(await screen.findByText('The backfill was cancelled.')).toBeTruthy();
  expect(task.state).toBe('CANCELLED');
  const call = world.calls.find((each) => each.name === 'CancelBackfill');
  expect(call?.variables).toEqual({ id: backfill.id, reason: 'wrong range' });
});

test('a backfill that does not exist, and one that cannot be read', async () => {
  const { world } = shop();
  const first = await renderApp('/backfills/nope', { world });
  expect(await screen.findByText('There is no such backfill')).toBeTruthy();
  first.unmount();
  world.faults.error = { only: 'BackfillPage', code: 'INTERNAL', message: 'No ledger today.' };
  await renderApp('/backfills/other', { world });
  expect(await screen.findByText('No ledger today.')).toBeTruthy();
});

test('the tasks list can be narrowed to one backfill', async () => {
  const { world, job } = shop();
  const backfill = makeBackfill(job.id);
  world.backfills.push(backfill);
  world.tasks.push(makeTask(job, { backfillId: backfill.id }), makeTask(job));
  await renderApp(`/tasks?backfill=${backfill.id}`, { world });
  const table = within(await screen.findByRole('table', { name: 'Tasks' }));
  await table.findByRole('link', { name: 'orders' });
  expect(table.getAllByRole('row')).toHaveLength(2);
});
