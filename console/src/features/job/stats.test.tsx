import { makeApp, makeGroup, makeJob } from '@mock/factories';
import { World } from '@mock/world';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

test('the counters have words for what they count', async () => {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const job = makeJob(group);
  Object.assign(job.stats, { missed: '7', excluded: '5', late: '3' });
  world.apps.push(app);
  world.groups.push(group);
  world.jobs.push(job);
  await renderApp(`/jobs/${job.id}`, { world });
  const stats = within(await screen.findByRole('region', { name: 'Last 24 hours' }));
  const value = (name: string) =>
    stats.getAllByText(name)[0]?.closest('div')?.querySelector('dd')?.textContent;
  expect([value('Missed'), value('Excluded'), value('Late')]).toEqual(['7', '5', '3']);
  expect(stats.getByText(/started more than 10 seconds after/)).toBeTruthy();
});
