import { makeApp, makeGroup, makeJob, makeNode, makeTask } from '@mock/factories';
import { World } from '@mock/world';
import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function shop() {
  let clock = Date.parse('2026-11-30T07:23:00Z');
  const world = new World(() => {
    clock += 1_000;
    return new Date(clock);
  });
  const app = makeApp();
  const group = makeGroup(app);
  const job = makeJob(group);
  world.apps.push(app);
  world.groups.push(group);
  world.nodes.push(makeNode(group), makeNode(group, { name: 'n2', state: 'OFFLINE' }));
  world.jobs.push(job);
  return { world, job };
}

const tile = (label: string) => {
  const term = screen.getAllByRole('term').find((e) => e.textContent === label);
  return term?.parentElement?.querySelector('dd')?.textContent;
};

test('counts, and keeps counting by itself', async () => {
  const { world, job } = shop();
  await renderApp('/', { world });
  expect(await screen.findByText('The failed queue is empty')).toBeTruthy();
  expect(tile('Failed queue')).toContain('0');
  expect(tile('Running')).toContain('of 16 slots');
  world.tasks.push(makeTask(job, { state: 'FAILED', error: 'disk full' }));
  act(() => world.overviewChanged());
  const failures = within(await screen.findByRole('table', { name: 'Latest failures' }));
  expect(failures.getByText('disk full')).toBeTruthy();
  expect(tile('Failed queue')).toContain('1');
});

test('walks through the minutes with the arrow keys', async () => {
  const { world } = shop();
  world.minutes = [
    {
      at: '2026-11-30T07:21:00Z',
      succeeded: '3',
      failed: '1',
      retried: '0',
      cancelled: '0',
      skipped: '0',
    },
    {
      at: '2026-11-30T07:22:00Z',
      succeeded: '9',
      failed: '0',
      retried: '0',
      cancelled: '0',
      skipped: '0',
    },
  ];
  const { user } = await renderApp('/', { world });
  const chart = await screen.findByRole('img', { name: /12 succeeded, 1 failed/ });
  chart.focus();
  await user.keyboard('{ArrowLeft}');
  const panel = within(screen.getByRole('region', { name: 'Last hour' }));
  expect(panel.getAllByText('07:22').length).toBeGreaterThan(0);
  expect(panel.getByText('9')).toBeTruthy();
  await user.keyboard('{Escape}');
  expect(panel.getByText('12')).toBeTruthy();
});

test('an empty installation gets its first steps', async () => {
  const world = new World();
  await renderApp('/', { world });
  expect(await screen.findByText('First steps')).toBeTruthy();
  expect(screen.getByText('belfry app create shop')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Create the first job' })).toBeTruthy();
});

test('a broken server is said with its sentence', async () => {
  const { world } = shop();
  world.faults.error = {
    only: 'Overview',
    code: 'INTERNAL',
    message: 'The ledger does not answer.',
  };
  const { user } = await renderApp('/', { world });
  expect(await screen.findByText('The ledger does not answer.')).toBeTruthy();
  world.faults.error = null;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Last hour')).toBeTruthy();
});
