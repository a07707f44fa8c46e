import { addBackfills } from '@mock/chains';
import { makeApp, makeGroup, makeJob, makeNode, makeTask } from '@mock/factories';
import { World } from '@mock/world';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function shop() {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const job = makeJob(group, { name: 'close-orders' });
  const other = makeJob(group, { name: 'send-mail' });
  const node = makeNode(group, { name: 'worker-7' });
  world.apps.push(app);
  world.groups.push(group);
  world.nodes.push(node);
  world.jobs.push(job, other);
  world.tasks.push(makeTask(job), makeTask(other));
  addBackfills(world, job, 1);
  return { world, app, job, node, backfill: world.backfills[0]?.id ?? '' };
}

const remove = (name: string) =>
  screen.findByRole('button', { name: `Take off the filter ${name}` });

test('a filter by job says the name, leads to the job and can be taken off', async () => {
  const { world, job } = shop();
  const { user, at } = await renderApp(`/tasks?job=${job.id}&states=["SUCCEEDED"]`, { world });
  const chip = (await remove('Job')).parentElement;
  await waitFor(() => expect(chip?.textContent).toBe('Job: close-orders'));
  expect(chip?.querySelector('a')?.getAttribute('href')).toBe(`/jobs/${job.id}`);
  expect(screen.queryByRole('link', { name: 'send-mail' })).toBeNull();
  await user.click(await remove('Job'));
  expect(await screen.findByRole('link', { name: 'send-mail' })).toBeTruthy();
  expect(at()).not.toContain('job=');
  expect(at()).toContain('SUCCEEDED');
});

test('a filter by backfill says of which job and range', async () => {
  const { world, backfill } = shop();
  const { user } = await renderApp(`/tasks?backfill=${backfill}`, { world });
  const chip = (await remove('Backfill')).parentElement;
  await waitFor(() => expect(chip?.textContent).toMatch(/^Backfill: close-orders, .+ – .+$/));
  expect(chip?.querySelector('a')?.getAttribute('href')).toBe(`/backfills/${backfill}`);
  await user.click(await remove('Backfill'));
  expect(await screen.findByRole('link', { name: 'send-mail' })).toBeTruthy();
});

test('node and app have chips too; what is gone says so', async () => {
  const { world, app, node } = shop();
  const { router } = await renderApp(`/tasks?node=${node.id}&app=${app.id}`, { world });
  expect(await screen.findByText('worker-7')).toBeTruthy();
  await waitFor(async () =>
    expect((await remove('App')).parentElement?.textContent).toBe('App: shop'),
  );
  await router.navigate({ to: '/tasks', search: { job: 'none' } });
  expect(await screen.findByText('not there any more')).toBeTruthy();
});
