import { cron, makeApp, makeGroup, makeJob, makeNode } from '@mock/factories';
import { World } from '@mock/world';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

const monday = new Date('2026-11-30T08:00:00Z');

function shop(expression: string) {
  const world = new World(() => monday);
  const group = makeGroup(makeApp());
  world.apps.push(makeApp({ id: group.appId }));
  world.groups.push(group);
  world.nodes.push(makeNode(group));
  const job = makeJob(group, { trigger: cron(expression, { zone: 'UTC' }) });
  world.jobs.push(job);
  return { world, job };
}

const pattern = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Pattern' });
const expression = () => screen.getByLabelText<HTMLInputElement>(/^Cron expression/);

async function choose(user: Awaited<ReturnType<typeof renderApp>>['user'], kind: string) {
  await user.click(pattern());
  await user.click(await screen.findByRole('option', { name: kind }));
}

test('an expression that fits a structure is shown as it, and its fields write the expression', async () => {
  const { world, job } = shop('0 9 * * 1-5');
  const { user } = await renderApp(`/jobs/${job.id}/edit`, { world });
  await screen.findByLabelText(/^Cron expression/);
  expect(pattern().value).toBe('On weekdays');
  const days = within(screen.getByRole('group', { name: 'On' }));
  expect(days.getByRole<HTMLInputElement>('checkbox', { name: 'Friday' }).checked).toBe(true);
  await user.click(days.getByRole('checkbox', { name: 'Monday' }));
  expect(expression().value).toBe('0 9 * * TUE-FRI');
  await choose(user, 'Monthly, on the n-th weekday');
  await user.click(screen.getByRole('combobox', { name: 'Which one' }));
  await user.click(await screen.findByRole('option', { name: 'Last' }));
  expect(expression().value).toBe('0 9 * * MONL');
});

test('a quartz expression stays quartz, and what its numbers mean is said', async () => {
  const { world, job } = shop('0 0 9 ? * 2-6');
  const { user } = await renderApp(`/jobs/${job.id}/edit`, { world });
  await screen.findByLabelText(/^Cron expression/);
  expect(screen.getAllByText(/Quartz cron: 1 is Sunday/).length).toBeGreaterThan(0);
  await choose(user, 'Daily');
  expect(expression().value).toBe('0 0 9 * * ?');
});

test('typing an expression changes the structure, one that fits none is free', async () => {
  const { world, job } = shop('*/5 * * * *');
  const { user } = await renderApp(`/jobs/${job.id}/edit`, { world });
  await screen.findByLabelText(/^Cron expression/);
  expect(pattern().value).toBe('Every few minutes');
  await user.clear(expression());
  await user.paste('0 9 L * *');
  expect(pattern().value).toBe('Monthly, on the last day');
  await user.clear(expression());
  await user.paste('H H * * *');
  expect(pattern().value).toBe('Free expression');
});

test('an unfinished field says so and leaves the expression alone', async () => {
  const { world, job } = shop('0 9 31 * *');
  const { user } = await renderApp(`/jobs/${job.id}/edit`, { world });
  const day = await screen.findByLabelText('Day of the month');
  expect(screen.getByText(/Months without a day 31 are left out/)).toBeTruthy();
  await user.clear(day);
  expect(screen.getByText('Write a whole number from 1 to 31.')).toBeTruthy();
  expect(expression().value).toBe('0 9 31 * *');
});

test('a zone is found by its city', async () => {
  const { world, job } = shop('0 9 * * *');
  const { user } = await renderApp(`/jobs/${job.id}/edit`, { world });
  const zone = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Time zone' });
  await user.clear(zone);
  await user.type(zone, 'new york');
  await user.click(await screen.findByRole('option', { name: /America\/New_York/ }));
  expect(zone.value).toBe('America/New_York');
});

test('the strip shows the coming days, and a day alone when it is picked', async () => {
  const { world, job } = shop('0 9 * * 1-5');
  const { user } = await renderApp(`/jobs/${job.id}/edit`, { world });
  const strip = within(await screen.findByRole('region', { name: 'Coming fires' }));
  await user.click(strip.getByRole('radio', { name: 'Week' }));
  const tuesday = await strip.findByRole('button', { name: /Dec.*1.*Fires at 09:00/ });
  await user.click(tuesday);
  await waitFor(() =>
    expect(strip.getByRole<HTMLInputElement>('radio', { name: 'Day' }).checked).toBe(true),
  );
  await user.click(strip.getByText('As a table'));
  const table = within(await strip.findByRole('table', { name: 'Coming fires' }));
  expect((await table.findByRole('cell', { name: 'Fires at 09:00.' })).textContent).toBeTruthy();
});

test('the next fires stand on the clock of UTC, the job and the reader', async () => {
  const { world, job } = shop('0 9 * * *');
  job.trigger.zone = 'Asia/Shanghai';
  if (world.viewer) world.viewer.timeZone = 'Europe/Berlin';
  await renderApp(`/jobs/${job.id}/edit`, { world });
  const table = within(await screen.findByRole('table', { name: 'Next fires' }));
  const heads = table.getAllByRole('columnheader').map((head) => head.textContent);
  expect(heads).toEqual(["Job's zoneAsia/Shanghai", 'Your zoneEurope/Berlin', 'UTC']);
  const first = table.getAllByRole('row')[1];
  expect(first?.textContent).toMatch(/09:00.*02:00.*01:00/);
});
