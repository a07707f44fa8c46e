import { cron, makeApp, makeGroup, makeJob } from '@mock/factories';
import { World } from '@mock/world';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function shop() {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const job = makeJob(group, { name: 'orders' });
  world.apps.push(app);
  world.groups.push(group);
  world.jobs.push(job);
  return { world, group, job };
}

async function open(world: World, id: string) {
  const { user } = await renderApp(`/jobs/${id}`, { world });
  await user.click(await screen.findByRole('button', { name: 'Run now' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Run orders' }));
  await dialog.findByRole('textbox', { name: 'Parameters' });
  const sent = () => world.calls.find((call) => call.name === 'TriggerJob')?.variables.input;
  return { user, dialog, sent };
}

test('the rule for a held key counts only with a key, and says what it means', async () => {
  const { world, job } = shop();
  const { user, dialog, sent } = await open(world, job.id);
  const rule = dialog.getByRole<HTMLInputElement>('combobox', { name: 'When the key is held' });
  expect(rule.disabled).toBe(true);
  await user.type(dialog.getByRole('textbox', { name: 'Unique key' }), 'order-7');
  await user.click(rule);
  await user.click(await screen.findByRole('option', { name: 'Replace that task' }));
  expect(dialog.getByText(/It is cancelled and this one is made/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Run' }));
  expect(await screen.findByText('orders was started.')).toBeTruthy();
  expect(sent()).toMatchObject({ uniqueKey: 'order-7', onKeyHeld: 'REPLACE' });
  // Nothing hangs on this job: there is nothing to choose, and nothing is sent.
  expect(sent()).not.toHaveProperty('downstream');
});

test('what hangs on the job can be left out or run in full', async () => {
  const { world, group, job } = shop();
  const upstream = [{ jobId: job.id, on: 'SUCCESS' }];
  world.jobs.push(makeJob(group, { trigger: { ...cron('x'), kind: 'DEPENDENCY', upstream } }));
  const { user, dialog, sent } = await open(world, job.id);
  expect(dialog.getByText(/fire when their rules say so/)).toBeTruthy();
  await user.click(dialog.getByRole('combobox', { name: 'Downstream jobs' }));
  await user.click(await screen.findByRole('option', { name: 'Everything downstream' }));
  expect(dialog.getByText(/All jobs downstream run after this one/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Run' }));
  expect(await screen.findByText('orders was started.')).toBeTruthy();
  expect(sent()).toMatchObject({ downstream: 'ALL' });
  expect(sent()).not.toHaveProperty('onKeyHeld');
});
