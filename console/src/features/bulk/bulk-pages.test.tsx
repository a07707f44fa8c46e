import { bulkStep, makeBulk } from '@mock/bulk';
import { makeApp, makeGroup, makeJob, makeTask } from '@mock/factories';
import { World } from '@mock/world';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function shop(tasks = 0) {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const job = makeJob(group, { name: 'orders' });
  world.apps.push(app);
  world.groups.push(group);
  world.jobs.push(job);
  for (let i = 0; i < tasks; i++) world.tasks.push(makeTask(job, { state: 'FAILED' }));
  return { world, job };
}

const table = async () => within(await screen.findByRole('table', { name: 'Bulk operations' }));

test('no operation yet says how to begin one', async () => {
  await renderApp('/bulk');
  expect(await screen.findByText('No bulk operation yet')).toBeTruthy();
});

test('lists them newest first, follows the running one and stops it after asking', async () => {
  const { world } = shop(4);
  const running = makeBulk({
    rest: world.tasks.map((t) => t.id),
    total: 4,
    createdAt: '2026-11-30T09:00:00Z',
    reason: 'mended',
  });
  world.bulks.push(
    makeBulk({ kind: 'DISCARD', state: 'FINISHED', total: 1, done: 1 }),
    running,
    makeBulk({ kind: 'CANCEL', state: 'CANCELLED', total: 9, done: 2, createdBy: 'grace' }),
  );
  const { user } = await renderApp('/bulk', { world });
  await screen.findByRole('link', { name: 'Run 4 tasks again' });
  const rows = (await table()).getAllByRole('row').slice(1);
  expect(rows.map((row) => within(row).getByRole('link').textContent)).toEqual([
    'Run 4 tasks again',
    'Discard 1 task',
    'Cancel 9 tasks',
  ]);
  const [first, , last] = rows.map((row) => within(row));
  expect(last?.getByText('grace')).toBeTruthy();
  expect(last?.queryByRole('button', { name: 'Stop' })).toBeNull();
  expect(first?.getByText('mended')).toBeTruthy();
  act(() => bulkStep(world, running, 1));
  expect(await first?.findByText('1 / 0 / 4')).toBeTruthy();
  await user.click((await table()).getByRole('button', { name: 'Stop' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Stop this operation?' }));
  expect(running.state).toBe('RUNNING');
  await user.click(dialog.getByRole('button', { name: 'Stop' }));
  expect(await screen.findByText('The operation was stopped.')).toBeTruthy();
  expect(running.state).toBe('CANCELLED');
});

test('ten thousand are shown a page at a time', async () => {
  const { world } = shop();
  for (let i = 0; i < 10_000; i++)
    world.bulks.push(makeBulk({ state: 'FINISHED', total: 1, done: 1 }));
  const { user, at } = await renderApp('/bulk', { world });
  expect(await screen.findAllByText('1 / 0 / 1')).toHaveLength(50);
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await waitFor(() => expect(at()).toMatch(/after=.*49/));
});

test('a viewer may not stop, and a broken server says so', async () => {
  const { world } = shop(1);
  world.bulks.push(makeBulk({ total: 1 }));
  if (world.viewer) world.viewer.role = 'VIEWER';
  const first = await renderApp('/bulk', { world });
  await (await table()).findByText('Running');
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
  first.unmount();
  world.faults.error = { only: 'BulkOperations', code: 'INTERNAL', message: 'No ledger today.' };
  await renderApp('/bulk', { world });
  expect(await screen.findByText('No ledger today.')).toBeTruthy();
});

test('a page says how the tasks were chosen, with links, and names those refused', async () => {
  const { world, job } = shop(3);
  const [, refused] = world.tasks;
  world.refusals.set(refused?.id ?? '', 'Somebody was faster.');
  const bulk = makeBulk({
    rest: world.tasks.map((t) => t.id),
    total: 3,
    patch: { limit: 9 },
    reason: 'mended',
    selection: { asOf: '2026-11-30T07:20:00Z', job: job.id, search: 'key-7', trigger: 'CRON' },
  });
  world.bulks.push(bulk);
  await renderApp(`/bulk/${bulk.id}`, { world });
  expect(await screen.findByRole('heading', { name: 'Edit and run 3 tasks again' })).toBeTruthy();
  const chosen = within(screen.getByRole('region', { name: 'How the tasks were chosen' }));
  expect((await chosen.findByRole('link', { name: 'orders' })).getAttribute('href')).toBe(
    `/jobs/${job.id}`,
  );
  expect(chosen.getByText('the filter named none')).toBeTruthy();
  expect(chosen.getByText('key-7')).toBeTruthy();
  const now = chosen.getByRole('link', { name: 'What this filter matches now' });
  expect(now.getAttribute('href')).toMatch(/^\/tasks\?.*q=key-7/);
  expect(screen.getByRole('group', { name: 'Members to set' }).textContent).toContain('"limit": 9');
  act(() => bulkStep(world, bulk));
  expect(await screen.findByText('Finished', { selector: 'span' })).toBeTruthy();
  const panel = within(await screen.findByRole('region', { name: '1 was refused' }));
  expect(await panel.findByText('Somebody was faster.')).toBeTruthy();
  expect(panel.getByRole('link', { name: 'orders' }).getAttribute('href')).toBe(
    `/tasks/${refused?.id}`,
  );
  expect(panel.getByText('Failed')).toBeTruthy();
});

test('goes on when live updates are paused: it is read again', async () => {
  const { world } = shop(2);
  const bulk = makeBulk({ rest: world.tasks.map((t) => t.id), total: 2 });
  world.bulks.push(bulk);
  const { session } = await renderApp(`/bulk/${bulk.id}`, { world });
  const bar = await screen.findByRole('progressbar', { name: 'Progress' });
  act(() => session.live.pause());
  bulkStep(world, bulk, 1);
  await waitFor(() => expect(bar.getAttribute('aria-valuenow')).toBe('50'));
});

test('named tasks, one that is missing, and one that cannot be read', async () => {
  const { world } = shop();
  world.bulks.push(
    makeBulk({ id: 'named', total: 2, selection: { asOf: '2026-11-30T07:20:00Z', named: 2 } }),
  );
  const { router } = await renderApp('/bulk/named', { world });
  expect(await screen.findByText('2 tasks were ticked by hand, one by one.')).toBeTruthy();
  await router.navigate({ to: '/bulk/$bulkId', params: { bulkId: 'none' } });
  expect(await screen.findByText('There is no such bulk operation')).toBeTruthy();
  world.faults.error = { only: 'BulkOperationPage', code: 'INTERNAL', message: 'No ledger today.' };
  await router.navigate({ to: '/bulk/$bulkId', params: { bulkId: 'other' } });
  expect(await screen.findByText('No ledger today.')).toBeTruthy();
});
