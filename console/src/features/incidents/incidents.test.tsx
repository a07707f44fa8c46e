import {
  makeChannel,
  makeEntry,
  makeIncident,
  makeNote,
  makeRule,
  makeSilence,
} from '@mock/alert-records';
import { makeApp, makeAttempt, makeGroup, makeJob, makeTask } from '@mock/factories';
import { World } from '@mock/world';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function trouble() {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const job = makeJob(group, { name: 'reconcile-payments' });
  const rule = makeRule();
  const first = makeIncident({ title: 'payments failed', jobId: job.id, ruleId: rule.id });
  const second = makeIncident({ title: 'node away', event: 'NODE_OFFLINE', severity: 'WARNING' });
  world.apps.push(app);
  world.groups.push(group);
  world.jobs.push(job);
  world.rules.push(rule);
  world.incidents.push(first, second);
  return { world, job, rule, first, second };
}

const dialog = async () => within(await screen.findByRole('dialog'));
const rowOf = async (name: string) => {
  const link = await screen.findByRole('link', { name });
  return within(link.closest('tr') ?? document.body);
};

test('an incident is taken on from its row, and the menu counts one less', async () => {
  const { world, first } = trouble();
  const { user } = await renderApp('/alerts', { world });
  expect(await screen.findByText('2 open incidents, 1 critical')).toBeTruthy();
  const row = await rowOf('payments failed');
  await user.click(row.getByRole('button', { name: 'Acknowledge' }));
  const form = await dialog();
  await user.type(form.getByRole('textbox'), 'I look at it');
  await user.click(form.getByRole('button', { name: 'Acknowledge' }));
  expect(await row.findByText('Acknowledged')).toBeTruthy();
  expect(await screen.findByText('1 open incident, 0 critical')).toBeTruthy();
  expect(first.entries.at(-1)).toMatchObject({ kind: 'ACKNOWLEDGED', message: 'I look at it' });
});

test('several are taken on at once; what is refused stays with its reason', async () => {
  const { world, first, second } = trouble();
  world.refusals.set(second.id, 'It is over already.');
  const { user } = await renderApp('/alerts', { world });
  await screen.findByRole('link', { name: 'node away' });
  await user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }));
  await user.click(await screen.findByRole('button', { name: 'Acknowledge 2' }));
  const form = await dialog();
  await user.click(form.getByRole('button', { name: 'Acknowledge' }));
  const refused = within(await form.findByRole('alert'));
  expect(refused.getByText('It is over already.')).toBeTruthy();
  expect(refused.getByText('node away')).toBeTruthy();
  expect([first.state, second.state]).toEqual(['ACKNOWLEDGED', 'OPEN']);
});

test('a new incident appears by itself; filters are the address', async () => {
  const { world, job } = trouble();
  const { user, at } = await renderApp('/alerts?severities=["CRITICAL"]', { world });
  await screen.findByRole('link', { name: 'payments failed' });
  expect(screen.queryByRole('link', { name: 'node away' })).toBeNull();
  const fresh = makeIncident({ title: 'it broke again', jobId: job.id });
  world.incidents.push(fresh);
  world.incidentChanged(fresh);
  expect(await screen.findByRole('link', { name: 'it broke again' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Reset filters' }));
  await waitFor(() => expect(at()).toBe('/alerts'));
  expect(await screen.findByRole('link', { name: 'node away' })).toBeTruthy();
});

test('an incident shows its attempts, its timeline and who was not told and why', async () => {
  const { world, job, first } = trouble();
  const task = makeTask(job, {
    state: 'FAILED',
    maxAttempts: 3,
    attempts: [
      makeAttempt(1, '2026-11-30T03:00:00Z', '2026-11-30T03:00:01Z', {
        state: 'LOST',
        nodeName: 'shop-2',
        error: 'The node went away.',
      }),
    ],
  });
  world.tasks.push(task);
  Object.assign(first, {
    lastTaskId: task.id,
    lastError: 'connection refused',
    entries: [makeEntry('ESCALATED', { message: 'Nobody acknowledged within 15m.' })],
  });
  world.notes.push(
    makeNote({ state: 'SUPPRESSED', reason: 'At most 6 an hour.', incidentIds: [first.id] }),
  );
  const { user } = await renderApp(`/alerts/incidents/${first.id}`, { world });
  expect(await screen.findByText('connection refused')).toBeTruthy();
  expect(screen.getByText('shop-2')).toBeTruthy();
  expect(screen.getByText('The node went away.')).toBeTruthy();
  expect(await screen.findByText(/Nobody acknowledged within 15m/)).toBeTruthy();
  expect(screen.getByText('At most 6 an hour.')).toBeTruthy();
  await user.type(screen.getByRole('textbox', { name: 'Comment' }), 'The bank moved');
  await user.click(screen.getByRole('button', { name: 'Comment' }));
  expect(await screen.findByText(/The bank moved/)).toBeTruthy();
});

test('a link in a message opens the dialog and changes nothing by itself', async () => {
  const { world, first } = trouble();
  const { user, at } = await renderApp(`/incidents/${first.id}?do=acknowledge`, { world });
  const form = await dialog();
  expect(first.state).toBe('OPEN');
  await user.click(form.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(at()).toBe(`/alerts/incidents/${first.id}`));
  expect(first.state).toBe('OPEN');
});

test('a silence from an incident is about its job, and needs a reason', async () => {
  const { world, job, first } = trouble();
  const { user } = await renderApp(`/alerts/incidents/${first.id}`, { world });
  await user.click(await screen.findByRole('button', { name: 'Silence' }));
  const form = await dialog();
  expect(await form.findByDisplayValue('shop / reconcile-payments')).toBeTruthy();
  await user.click(form.getByRole('button', { name: 'Create silence' }));
  expect(await form.findByText(/The reason is empty/)).toBeTruthy();
  await user.type(form.getByRole('textbox', { name: /^Reason/ }), 'The bank moves');
  await user.click(form.getByRole('button', { name: 'Create silence' }));
  expect(await screen.findByText('The silence was created.')).toBeTruthy();
  expect(world.silences[0]).toMatchObject({
    reason: 'The bank moves',
    scope: { kind: 'JOB', jobId: job.id },
  });
});

test('silences are listed by whether they hold, and are ended', async () => {
  const { world } = trouble();
  const past = { active: false, activeUntil: null, endsAt: '2026-01-01T00:00:00Z' };
  world.silences.push(
    makeSilence({ reason: 'rack 7' }),
    makeSilence({ reason: 'long ago', ...past }),
  );
  const { user } = await renderApp('/alerts/silences', { world });
  const row = within((await screen.findByText('rack 7')).closest('tr') ?? document.body);
  expect(screen.queryByText('long ago')).toBeNull();
  await user.click(row.getByRole('button', { name: 'End it' }));
  await user.click((await dialog()).getByRole('button', { name: 'End it' }));
  expect(await screen.findByText('The silence has ended.')).toBeTruthy();
  expect(world.silences[0]?.active).toBe(false);
});

test('a job shows its open incidents and leads to a rule about it', async () => {
  const { world, job } = trouble();
  const { user, at } = await renderApp(`/jobs/${job.id}`, { world });
  const panel = within(await screen.findByRole('region', { name: 'Open incidents' }));
  expect(await panel.findByRole('link', { name: 'payments failed' })).toBeTruthy();
  expect(panel.queryByRole('link', { name: 'node away' })).toBeNull();
  await user.click(panel.getByRole('button', { name: 'Alert me' }));
  await waitFor(() => expect(at()).toBe(`/alerts/rules/new?job=${job.id}`));
});

test('a viewer looks and cannot take anything on', async () => {
  const { world, first } = trouble();
  if (world.viewer) world.viewer.role = 'VIEWER';
  const { user } = await renderApp(`/alerts/incidents/${first.id}?do=resolve`, { world });
  const button = await screen.findByRole('button', { name: 'Acknowledge' });
  expect(button.getAttribute('aria-description')).toMatch(/Needs the role operator/);
  await user.click(button);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a quiet list says when nothing looks, and when nobody would be told', async () => {
  const { world } = trouble();
  world.channels.push(makeChannel({ enabled: false }));
  await renderApp('/alerts', { world });
  const link = await screen.findByRole('link', { name: 'Set a channel up' });
  expect(link.getAttribute('href')).toBe('/alerts/channels');
});

test('without a rule, the list does not pretend that all is well', async () => {
  await renderApp('/alerts', { world: new World() });
  expect(await screen.findByText(/^Nothing is watched: there is no rule/)).toBeTruthy();
});
