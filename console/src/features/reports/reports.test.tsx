import { makeChannel, makeReportSchedule } from '@mock/alert-records';
import { makeApp, makeGroup, makeJob, makeTask } from '@mock/factories';
import { World } from '@mock/world';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';
import { compare } from './figures';

function day() {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const job = makeJob(group, { name: 'reconcile-payments' });
  world.apps.push(app);
  world.groups.push(group);
  world.jobs.push(job);
  world.tasks.push(makeTask(job, { state: 'FAILED', error: 'connection refused' }));
  const schedule = makeReportSchedule({ channels: [] });
  world.schedules.push(schedule);
  world.channels.push(makeChannel({ name: 'phone' }));
  return { world, schedule };
}

test('the report leads from its lines to tasks, and to other days', async () => {
  const { world } = day();
  const { user, at } = await renderApp('/reports?day=2026-11-30', { world });
  const failures = within(await screen.findByRole('region', { name: 'Failed' }));
  expect(failures.getByRole('link', { name: 'reconcile-payments' })).toBeTruthy();
  expect(failures.getByText('connection refused')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Day before' }));
  await waitFor(() => expect(at()).toBe('/reports?day=2026-11-29'));
});

test('the report goes until the time of the day that is chosen, or that of a schedule', async () => {
  const { world, schedule } = day();
  const { user, at } = await renderApp('/reports?day=2026-11-30', { world });
  const asked = () => world.calls.filter(({ name }) => name === 'MorningReport').at(-1)?.variables;
  await waitFor(() => expect(asked()).toMatchObject({ day: '2026-11-30', at: '08:00' }));
  const until = await screen.findByLabelText('Until this time of the day');
  fireEvent.change(until, { target: { value: '06:15' } });
  await waitFor(() => expect(asked()).toMatchObject({ at: '06:15' }));
  expect(decodeURIComponent(at())).toContain('06:15');
  await user.click(await screen.findByRole('link', { name: schedule.name }));
  await waitFor(() => expect(asked()).toMatchObject({ at: schedule.at, zone: schedule.zone }));
});

test('a schedule is sent now, and a taken name stands at its field', async () => {
  const { world, schedule } = day();
  const { user } = await renderApp('/reports', { world });
  await user.click(await screen.findByRole('button', { name: 'Send now' }));
  expect(await screen.findByText('morning is on its way.')).toBeTruthy();
  expect(world.notes[0]?.kind).toBe('REPORT');
  await user.click(screen.getByRole('button', { name: 'New schedule' }));
  const form = within(await screen.findByRole('dialog'));
  await user.type(form.getByRole('textbox', { name: 'Name' }), schedule.name);
  await user.click(form.getByRole('button', { name: 'Create schedule' }));
  expect(await form.findByText('The name "morning" is taken. Choose another.')).toBeTruthy();
});

const figures = {
  ran: '100',
  succeeded: '90',
  failed: '10',
  recovered: '0',
  takenOver: '0',
  late: '0',
  missed: '0',
  running: '0',
  slower: '0',
};

test('only what is bad and clearly more than usual is worse', () => {
  const now = { ...figures, ran: '500', failed: '13', late: '11', missed: '1' };
  const all = compare(now, { ...figures, failed: '10', late: '10' });
  expect(all.filter(({ worse }) => worse).map(({ name }) => name)).toEqual(['failed', 'missed']);
  expect(all.find(({ name }) => name === 'ran')?.change).toBe(4);
  expect(all.find(({ name }) => name === 'slower')?.usual).toBeNull();
  expect(all.find(({ name }) => name === 'missed')?.change).toBeNull();
});
