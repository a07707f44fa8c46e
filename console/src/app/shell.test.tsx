import { makeApp, makeGroup, makeJob } from '@mock/factories';
import { World } from '@mock/world';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function shop() {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  world.apps.push(app);
  world.groups.push(group);
  const shanghai = { zone: 'Asia/Shanghai' };
  world.jobs.push(makeJob(group, { name: 'job-a' }), makeJob(group, { name: 'job-b' }));
  for (const job of world.jobs) Object.assign(job.trigger, shanghai);
  return { world, group };
}

test('g and a letter go to a page, ? shows all keys, Escape closes them', async () => {
  const { user, at } = await renderApp('/jobs', { world: shop().world });
  await screen.findByRole('link', { name: 'job-a' });
  await user.keyboard('go');
  await waitFor(() => expect(at()).toBe('/'));
  await user.keyboard('gj');
  await waitFor(() => expect(at()).toBe('/jobs'));
  await user.keyboard('?');
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard' });
  expect(within(dialog).getByText('Go to Overview')).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('keys do nothing while one types', async () => {
  const { user, at } = await renderApp('/jobs', { world: shop().world });
  await screen.findByRole('link', { name: 'job-a' });
  await user.keyboard('/');
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
  await user.keyboard('go?');
  await waitFor(() => expect(at()).toBe('/jobs?q=go%3F'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('j, k, x and Enter work on the rows', async () => {
  const { user, at, world } = await renderApp('/jobs', { world: shop().world });
  await screen.findByRole('link', { name: 'job-a' });
  await user.keyboard('jj');
  expect(within(document.activeElement as HTMLElement).getByText('job-b')).toBeTruthy();
  await user.keyboard('kx');
  expect(screen.getByText('1 selected')).toBeTruthy();
  await user.keyboard('j{Enter}');
  await waitFor(() => expect(at()).toBe(`/jobs/${world.jobs[1]?.id}`));
});

test('the palette finds pages and jobs', async () => {
  const { user, at, world } = await renderApp('/', { world: shop().world });
  await screen.findByRole('heading', { name: 'Overview' });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: 'Go to' }), 'job-b');
  expect(await screen.findByRole('option', { name: /job-b/ })).toBeTruthy();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(at()).toBe(`/jobs/${world.jobs[1]?.id}`));
});

test('the time view changes every instant and is kept', async () => {
  const { user } = await renderApp('/jobs', { world: shop().world });
  expect((await screen.findAllByText('11-30 07:25:00')).length).toBe(2);
  await user.click(screen.getByRole('radio', { name: "Job's zone" }));
  expect(screen.getAllByText('11-30 15:25:00').length).toBe(2);
  expect(screen.getAllByText('+08:00').length).toBeGreaterThan(1);
  expect(localStorage.getItem('belfry.timeView')).toBe('job');
});

test('the language changes without a reload', async () => {
  const { user } = await renderApp('/jobs', { world: shop().world });
  await user.click(await screen.findByRole('button', { name: 'Account of admin' }));
  await user.click(await screen.findByRole('combobox', { name: 'Language' }));
  await user.click(await screen.findByRole('option', { name: '简体中文' }));
  expect(await screen.findByRole('heading', { name: '作业' })).toBeTruthy();
  expect(document.documentElement.lang).toBe('zh-CN');
  expect((await screen.findAllByText('每 5 分钟')).length).toBe(2);
});

test("the account's language holds in a browser without a choice of its own", async () => {
  const { world } = shop();
  if (world.viewer) world.viewer.locale = 'zh-CN';
  await renderApp('/jobs', { world });
  expect(await screen.findByRole('heading', { name: '作业' })).toBeTruthy();
});

test('the indicator tells the state of the line, and lists are read again when it is back', async () => {
  const { line, world } = await renderApp('/jobs', { world: shop().world });
  await screen.findByRole('link', { name: 'job-a' });
  expect(await screen.findByText('Live')).toBeTruthy();
  act(() => line.drop());
  expect(screen.getByText('Reconnecting')).toBeTruthy();
  const [job] = world.jobs;
  if (job) job.name = 'renamed-meanwhile';
  act(() => line.mend());
  expect(await screen.findByRole('link', { name: 'renamed-meanwhile' })).toBeTruthy();
  expect(screen.getByText('Live')).toBeTruthy();
});

test('paused updates do not reach the page; resuming catches up', async () => {
  const { user, world } = await renderApp('/jobs', { world: shop().world });
  await screen.findByRole('link', { name: 'job-a' });
  await user.click(screen.getByRole('button', { name: /Live/ }));
  const [job] = world.jobs;
  if (!job) throw new Error('no job');
  job.name = 'renamed-while-paused';
  act(() => world.jobChanged(job));
  await user.click(screen.getByRole('button', { name: /Paused/ }));
  expect(await screen.findByRole('link', { name: 'renamed-while-paused' })).toBeTruthy();
});

test('an unknown address says so', async () => {
  await renderApp('/nowhere');
  expect(await screen.findByText('There is no page at this address.')).toBeTruthy();
});
