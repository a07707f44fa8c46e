import { makeCalendar } from '@mock/calendars';
import { cron, makeApp, makeGroup, makeJob } from '@mock/factories';
import { World } from '@mock/world';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function shop() {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const calendar = makeCalendar(app, {
    days: [{ date: '2026-10-01', kind: 'REST', name: 'National Day' }],
  });
  world.apps.push(app);
  world.groups.push(group);
  world.calendars.push(calendar);
  return { world, app, group, calendar };
}

const dialog = async () => within(await screen.findByRole('dialog'));
const day = (name: RegExp) => screen.findByRole('button', { name });

test('makes a calendar and goes to it', async () => {
  const { world } = shop();
  const { user, at } = await renderApp('/calendars', { world });
  await user.click(await screen.findByRole('button', { name: 'New calendar' }));
  const form = await dialog();
  await user.click(form.getByRole('button', { name: 'Create calendar' }));
  expect(await form.findByText(/The name is empty/)).toBeTruthy();
  await user.type(form.getByRole('textbox', { name: /^Name/ }), 'plant');
  await user.click(form.getByRole('checkbox', { name: 'Saturday' }));
  await user.click(form.getByRole('button', { name: 'Create calendar' }));
  await waitFor(() => expect(at()).toBe(`/calendars/${world.calendars[1]?.id}`));
  expect(world.calendars[1]).toMatchObject({ name: 'plant', restDays: ['SUNDAY'] });
});

test('marks a day by keyboard, with its name', async () => {
  const { world, calendar } = shop();
  const { user } = await renderApp(`/calendars/${calendar.id}?year=2026`, { world });
  const first = await day(/Oct 1, 2026.*Rest day: National Day/);
  first.focus();
  await user.keyboard('{ArrowRight}{Enter}');
  const form = await dialog();
  expect(form.getByLabelText<HTMLInputElement>('From').value).toBe('2026-10-02');
  await user.type(form.getByRole('textbox', { name: 'Name' }), 'Harvest');
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(await day(/Oct 2, 2026.*Rest day: Harvest/)).toBeTruthy();
  expect(world.calendars[0]?.days).toEqual([
    { date: '2026-10-01', kind: 'REST', name: 'National Day' },
    { date: '2026-10-02', kind: 'REST', name: 'Harvest' },
  ]);
});

test('the keys lead over the end of the year', async () => {
  const { world, calendar } = shop();
  const { user, at } = await renderApp(`/calendars/${calendar.id}?year=2026`, { world });
  (await day(/Dec 31, 2026/)).focus();
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(at()).toBe(`/calendars/${calendar.id}?year=2027`));
  expect(await screen.findByRole('heading', { name: '2027' })).toBeTruthy();
});

test('an import shows what would change before it does', async () => {
  const { world, calendar } = shop();
  const { user } = await renderApp(`/calendars/${calendar.id}?year=2026`, { world });
  await user.click(await screen.findByRole('button', { name: 'Import' }));
  const form = await dialog();
  const text = form.getByRole('textbox', { name: 'Days' });
  await user.click(text);
  await user.paste('no date');
  await user.click(form.getByRole('button', { name: 'Show what would change' }));
  expect(await form.findByText(/Line 1: "no date" has no date/)).toBeTruthy();
  await user.clear(text);
  await user.paste('2026-10-10 work Make-up day');
  await user.click(form.getByRole('checkbox', { name: /Remove what the text lacks/ }));
  await user.click(form.getByRole('button', { name: 'Show what would change' }));
  const changes = within(await form.findByRole('region', { name: 'What would change' }));
  expect(changes.getByText('1 day is added or changed')).toBeTruthy();
  expect(changes.getByText('National Day')).toBeTruthy();
  expect(world.calendars[0]?.days).toHaveLength(1);
  await user.click(form.getByRole('button', { name: 'Import' }));
  expect(await screen.findByText('Imported: 1 added, 1 removed.')).toBeTruthy();
  expect(world.calendars[0]?.days).toEqual([
    { date: '2026-10-10', kind: 'WORK', name: 'Make-up day' },
  ]);
});

test('a refusal of a quiet time stands at its row', async () => {
  const { world, calendar } = shop();
  calendar.quietWindows = [{ days: ['FRIDAY'], from: '22:00', to: '06:00', rule: 'DELAY' }];
  const { user } = await renderApp(`/calendars/${calendar.id}`, { world });
  const panel = within(await screen.findByRole('region', { name: 'Quiet times' }));
  expect(panel.getByText('22:00–06:00')).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Edit' }));
  const form = await dialog();
  await user.click(form.getByRole('button', { name: 'Add a quiet time' }));
  const rows = form.getAllByRole('group', { name: /:00/ });
  const second = within(rows[1] ?? document.body);
  await user.clear(second.getByLabelText('To'));
  await user.type(second.getByLabelText('To'), '22:00');
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(await second.findByText(/ends when it begins/)).toBeTruthy();
});

test('a calendar in use names its jobs and cannot be deleted', async () => {
  const { world, calendar, group } = shop();
  world.jobs.push(makeJob(group, { trigger: cron('0 9 * * *', { calendar: calendar.name }) }));
  const { user } = await renderApp(`/calendars/${calendar.id}`, { world });
  const jobs = within(await screen.findByRole('region', { name: '1 job uses it' }));
  expect(await jobs.findByRole('link', { name: 'close-unpaid-orders' })).toBeTruthy();
  const remove = screen.getByRole('button', { name: 'Delete' });
  expect(remove.getAttribute('aria-description')).toMatch(/1 job uses it/);
  await user.click(remove);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a stale calendar is not overwritten', async () => {
  const { world, calendar } = shop();
  const { user } = await renderApp(`/calendars/${calendar.id}?year=2026`, { world });
  await user.click(await day(/Oct 2, 2026/));
  const form = await dialog();
  calendar.version = 5;
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findByText(/at version 5 by now/)).toBeTruthy();
});

test('a viewer looks and cannot mark', async () => {
  const { world, calendar } = shop();
  if (world.viewer) world.viewer.role = 'VIEWER';
  const { user } = await renderApp(`/calendars/${calendar.id}?year=2026`, { world });
  await user.click(await day(/Oct 1, 2026/));
  expect(screen.queryByRole('dialog')).toBeNull();
});
