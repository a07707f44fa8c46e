import { makeApp, makeGroup, makeJob } from '@mock/factories';
import { keepRevision, makeSnapshot } from '@mock/revisions';
import { World } from '@mock/world';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function shop() {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const job = makeJob(group, { parameters: { limit: 50, day: 'today' } });
  world.apps.push(app);
  world.groups.push(group);
  world.jobs.push(job);
  keepRevision(job, {
    action: 'job.create',
    author: 'lin',
    snapshot: makeSnapshot(job, {
      handler: 'orders.sweep',
      parameters: { limit: 20, day: 'today' },
    }),
  });
  job.version = 2;
  keepRevision(job, { authorKind: 'TOKEN', author: 'ci' });
  return { world, job, group };
}

const field = (name: string) => document.querySelector<HTMLElement>(`[data-field="${name}"]`);

/** The button, once the version has been read. */
const ready = async () => {
  const button = await screen.findByRole('button', { name: 'Roll back to this' });
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull());
  return button;
};

test('lists who made each version and shows what the newest changed', async () => {
  const { world, job } = shop();
  await renderApp(`/jobs/${job.id}/revisions`, { world });
  const list = within(await screen.findByRole('region', { name: 'Versions' }));
  const [newest, oldest] = list.getAllByRole('button');
  expect(newest?.textContent).toMatch(/^2Editedpresentci \(API token\)/);
  expect(newest?.textContent).toMatch(/Handler, Parameters$/);
  expect(oldest?.textContent).toMatch(/^1Createdlin/);
  expect(newest?.getAttribute('aria-current')).toBe('true');
  await waitFor(() => expect(field('handler')).toBeTruthy());
  expect(field('handler')?.textContent).toBe('Handlerbefore: orders.sweepafter: orders.close');
  const lines = within(field('parameters') as HTMLElement).getByRole('group');
  expect(lines.textContent).toContain('before:   "limit": 20');
  expect(lines.textContent).toContain('after:   "limit": 50');
});

test('compares any two versions; the address says which', async () => {
  const { world, job } = shop();
  job.version = 3;
  keepRevision(job, { snapshot: makeSnapshot(job, { priority: 'HIGH', timeoutMs: 60_000 }) });
  const { user, at } = await renderApp(`/jobs/${job.id}/revisions`, { world });
  await waitFor(() => expect(field('priority')?.textContent).toContain('High'));
  expect(field('timeoutMs')?.textContent).toContain('1 m');
  expect(field('handler')).toBeNull();
  await user.click(screen.getByRole('combobox', { name: 'Compared with' }));
  await user.click(await screen.findByRole('option', { name: 'version 1' }));
  await waitFor(() => expect(field('handler')).toBeTruthy());
  expect(at()).toContain('with=1');
  const list = within(screen.getByRole('region', { name: 'Versions' }));
  await user.click(list.getAllByRole('button')[1] as HTMLElement);
  await waitFor(() => expect(at()).toContain('show=2'));
  await waitFor(() => expect(field('priority')).toBeNull());
});

test('rolls back after showing what changes', async () => {
  const { world, job } = shop();
  const { user } = await renderApp(`/jobs/${job.id}/revisions?show=1`, { world });
  await user.click(await ready());
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('This changes 2 fields:')).toBeTruthy();
  expect(dialog.getByText('orders.sweep').closest('ins')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Roll back to this' }));
  expect(await screen.findByText(`${job.name} is as it was in version 1.`)).toBeTruthy();
  expect(job.version).toBe(3);
  const call = world.calls.find((each) => each.name === 'RollBackJob');
  expect(call?.variables).toEqual({ id: job.id, revision: 1, version: 2 });
  const list = within(screen.getByRole('region', { name: 'Versions' }));
  await waitFor(() => expect(list.getAllByRole('button')[0]?.textContent).toMatch(/^3Rolled back/));
});

test('is refused when the job has changed in between, and says so', async () => {
  const { world, job } = shop();
  const { user } = await renderApp(`/jobs/${job.id}/revisions?show=1`, { world });
  await user.click(await ready());
  const dialog = within(await screen.findByRole('dialog'));
  job.version = 3; // somebody else's edit
  keepRevision(job, { snapshot: makeSnapshot(job, { priority: 'LOW' }) });
  // It is told live, too: what the dialog shows and sends stays what was asked.
  act(() => world.jobChanged(job));
  await user.click(dialog.getByRole('button', { name: 'Roll back to this' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('at version 3 by now');
  expect(job.version).toBe(3);
});

test('is off for who may not', async () => {
  const { world, job } = shop();
  if (world.viewer) world.viewer.role = 'OPERATOR';
  const { user } = await renderApp(`/jobs/${job.id}/revisions?show=1`, { world });
  const button = () => screen.findByRole('button', { name: 'Roll back to this' });
  await waitFor(async () => expect((await button()).getAttribute('aria-disabled')).toBe('true'));
  expect((await button()).getAttribute('aria-description')).toBe(
    'Needs the role developer; yours is operator.',
  );
  await user.click(await button());
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(world.calls.some((call) => call.name === 'RollBackJob')).toBe(false);
});

test('says when the version is the same as the present one', async () => {
  const { world, job } = shop();
  await renderApp(`/jobs/${job.id}/revisions?show=2`, { world });
  const button = await screen.findByRole('button', { name: 'Roll back to this' });
  await waitFor(() => expect(button.getAttribute('aria-description')).toContain('is the same now'));
});

test('a job without kept versions, and one that is not there', async () => {
  const { world, job } = shop();
  job.revisions = [];
  const { unmount } = await renderApp(`/jobs/${job.id}/revisions`, { world });
  expect(await screen.findByText('No version is kept')).toBeTruthy();
  unmount();
  await renderApp('/jobs/nothing/revisions', { world });
  expect(await screen.findByText('There is no such job')).toBeTruthy();
});

test('a version that is not kept any more is said to be so', async () => {
  const { world, job } = shop();
  await renderApp(`/jobs/${job.id}/revisions?show=77`, { world });
  expect(await screen.findByText('Version 77 is not kept')).toBeTruthy();
});
