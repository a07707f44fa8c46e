import { cron, makeApp, makeGroup, makeJob, makeTask } from '@mock/factories';
import type { JobRecord } from '@mock/records';
import { World } from '@mock/world';
import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

/** Two jobs and a report that waits for both. */
function chain() {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const orders = makeJob(group, { name: 'orders' });
  const stock = makeJob(group, { name: 'stock' });
  const report = makeJob(group, {
    name: 'report',
    trigger: {
      ...cron('x'),
      kind: 'DEPENDENCY',
      expression: null,
      dialect: null,
      mode: 'ALL',
      window: 'DAY',
      upstream: [
        { jobId: orders.id, on: 'SUCCESS' },
        { jobId: stock.id, on: 'COMPLETION' },
      ],
    },
  });
  world.apps.push(app);
  world.groups.push(group);
  world.jobs.push(orders, stock, report);
  return { world, orders, stock, report };
}

const join = (window: string, over: Partial<JobRecord['joins'][number]> = {}) => ({
  window,
  openedAt: '2026-11-30T01:00:00Z',
  arrived: [],
  missing: [],
  taskId: null,
  firedAt: null,
  reason: null,
  ...over,
});

test('names the jobs before and after, with the rules between them', async () => {
  const { world, report, orders } = chain();
  const { unmount } = await renderApp(`/jobs/${report.id}`, { world });
  let deps = within(await screen.findByRole('region', { name: 'Dependencies' }));
  expect(deps.getByText('Runs after: each of')).toBeTruthy();
  expect(deps.getByText('on any end')).toBeTruthy();
  expect(deps.getByText('Joined by: the same day (UTC)')).toBeTruthy();
  expect(deps.getByRole('link', { name: 'orders' }).getAttribute('href')).toBe(
    `/jobs/${orders.id}`,
  );
  unmount();
  await renderApp(`/jobs/${orders.id}`, { world });
  deps = within(await screen.findByRole('region', { name: 'Dependencies' }));
  expect(deps.getByRole('link', { name: 'report' })).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Windows' })).toBeNull();
});

test('a job that stands alone has no such part', async () => {
  const { world, orders } = chain();
  world.jobs.pop();
  await renderApp(`/jobs/${orders.id}`, { world });
  await screen.findByRole('heading', { name: 'orders' });
  expect(screen.queryByRole('region', { name: 'Dependencies' })).toBeNull();
});

test('windows: none yet, then one that waits, then one that has fired, by themselves', async () => {
  const { world, report, orders, stock } = chain();
  await renderApp(`/jobs/${report.id}`, { world });
  expect(await screen.findByText('No window yet')).toBeTruthy();
  const arrived = makeTask(orders);
  world.tasks.push(arrived);
  report.joins = [
    join('2026-11-30', {
      arrived: [
        { jobId: orders.id, taskId: arrived.id, at: '2026-11-30T01:00:00Z', condition: 'SUCCESS' },
      ],
      missing: [stock.id],
    }),
  ];
  act(() => world.taskChanged(arrived));
  const table = within(await screen.findByRole('table', { name: 'Windows' }));
  expect(await table.findByText('2026-11-30')).toBeTruthy();
  expect(table.getByRole('link', { name: 'orders' }).getAttribute('href')).toBe(
    `/tasks/${arrived.id}`,
  );
  expect(table.getByRole('link', { name: 'stock' })).toBeTruthy();
  expect(table.getByText('waits')).toBeTruthy();

  const made = makeTask(report, { trigger: 'DEPENDENCY', state: 'RUNNING' });
  world.tasks.push(made);
  const [open] = report.joins;
  if (open) Object.assign(open, { missing: [], taskId: made.id, firedAt: '2026-11-30T02:00:00Z' });
  act(() => world.taskChanged(made));
  expect(await table.findByText('Running')).toBeTruthy();
  expect(table.getByText('nothing')).toBeTruthy();
  expect(table.queryByText('waits')).toBeNull();
});

test('a window that closed without firing says why', async () => {
  const { world, report } = chain();
  report.joins = [join('2026-11-29', { reason: 'PAUSED' })];
  await renderApp(`/jobs/${report.id}`, { world });
  const table = within(await screen.findByRole('table', { name: 'Windows' }));
  expect(await table.findByText('closed: the job was paused')).toBeTruthy();
  expect(table.getByText('nothing yet')).toBeTruthy();
});

test('a window of a run is named by its first task', async () => {
  const { world, report, orders } = chain();
  report.trigger.window = 'RUN';
  const first = makeTask(orders);
  world.tasks.push(first);
  report.joins = [join(first.id)];
  await renderApp(`/jobs/${report.id}`, { world });
  const link = await screen.findByRole('link', { name: `Run of …${first.id.slice(-6)}` });
  expect(link.getAttribute('href')).toBe(`/tasks/${first.id}`);
});

test('many windows are all listed', async () => {
  const { world, report } = chain();
  report.joins = Array.from({ length: 40 }, (_, i) => join(`window-${i}`));
  await renderApp(`/jobs/${report.id}`, { world });
  const table = within(await screen.findByRole('table', { name: 'Windows' }));
  expect(await table.findByText('window-0')).toBeTruthy();
  // The server is asked for the latest twenty, and there is a head.
  expect(table.getAllByRole('row')).toHaveLength(21);
});

test('windows that cannot be read leave the page whole', async () => {
  const { world, report } = chain();
  world.faults.error = { only: 'JobJoins', code: 'INTERNAL', message: 'No windows today.' };
  const { user } = await renderApp(`/jobs/${report.id}`, { world });
  expect(await screen.findByText('No windows today.')).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Dependencies' })).toBeTruthy();
  world.faults.error = null;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No window yet')).toBeTruthy();
});
