import { makeChannel, makeCondition, makePerson, makeRule } from '@mock/alert-records';
import { makeApp, makeGroup, makeJob } from '@mock/factories';
import { World } from '@mock/world';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function night() {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const job = makeJob(group, { name: 'reconcile-payments' });
  const phone = makeChannel({ name: 'phone' });
  const mail = makeChannel({ name: 'mail' });
  const rule = makeRule({
    name: 'payments',
    routes: [
      { severities: ['CRITICAL'], channels: [phone.id], people: [], digestAt: [] },
      { severities: ['WARNING'], channels: [mail.id], people: [], digestAt: ['12:00', '18:00'] },
    ],
  });
  world.apps.push(app);
  world.groups.push(group);
  world.jobs.push(job);
  world.channels.push(phone, mail);
  world.people.push(makePerson('admin'));
  world.rules.push(rule);
  return { world, job, rule };
}

const region = async (name: string) => within(await screen.findByRole('region', { name }));

test('a rule says its severities in words and is switched off from its row', async () => {
  const { world, rule } = night();
  const { user } = await renderApp('/alerts/rules', { world });
  expect(await screen.findByText('Critical 22:00–08:00; otherwise Warning')).toBeTruthy();
  await user.click(screen.getByRole('switch', { name: 'Rule payments is on' }));
  expect(await screen.findByText('payments is off.')).toBeTruthy();
  expect(rule.enabled).toBe(false);
});

test('the editor says what happens at three in the morning, and at any other time', async () => {
  const { world, rule } = night();
  const { user } = await renderApp(`/alerts/rules/${rule.id}`, { world });
  const moment = await region('When something breaks on');
  expect(await moment.findByText('At once: phone.')).toBeTruthy();
  const stretch = screen.getByRole('button', { name: 'Wednesday 08:00–22:00: Warning' });
  await user.click(stretch);
  expect(await moment.findByText('In the digest at 18:00: mail.')).toBeTruthy();
  expect(moment.getByText('Warning')).toBeTruthy();
});

test('refusals of the server stand at their fields, deep in lists too', async () => {
  const { world, rule } = night();
  rule.conditions.push(makeCondition('RUN_TOO_LONG', { longerThan: '5m0s' }));
  const { user } = await renderApp(`/alerts/rules/${rule.id}`, { world });
  const problems = await region('Problems');
  await user.clear(problems.getByLabelText('Longer than'));
  const told = await region('Who is told');
  const [, digests] = told.getAllByLabelText('Digests at');
  if (!digests) throw new Error('the second route has no digests');
  await user.clear(digests);
  await user.type(digests, 'noon');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await problems.findByText(/neither longerThan nor factor/)).toBeTruthy();
  expect(told.getByText('"noon" is no time of day. Write it like 12:00.')).toBeTruthy();
  expect(rule.version).toBe(1);
});

test('a new rule from a job is about the job, and is tried over last week', async () => {
  const { world, job } = night();
  world.trial = {
    events: '12',
    incidents: 2,
    messages: 2,
    suppressed: 1,
    coveredFrom: '2026-11-23T07:20:00Z',
    entries: [
      {
        at: '2026-11-24T19:02:00Z',
        channel: 'phone',
        severity: 'CRITICAL',
        digest: false,
        sent: true,
        title: 'reconcile-payments failed',
        problems: 1,
      },
    ],
    error: null,
  };
  const { user, at } = await renderApp(`/alerts/rules/new?job=${job.id}`, { world });
  expect(await screen.findByDisplayValue('shop / reconcile-payments')).toBeTruthy();
  const trial = await region('Trial');
  await user.click(trial.getByRole('button', { name: 'Try it' }));
  expect(await trial.findByText('reconcile-payments failed')).toBeTruthy();
  expect(trial.getByText('and 1 more')).toBeTruthy();
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'night');
  await user.click(screen.getByRole('button', { name: 'Create rule' }));
  await waitFor(() => expect(at()).toBe('/alerts/rules'));
  expect(world.rules.at(-1)).toMatchObject({
    name: 'night',
    scope: { kind: 'JOB', jobId: job.id },
    conditions: [{ event: 'RETRIES_EXHAUSTED' }],
  });
});

test('a stale rule is not overwritten', async () => {
  const { world, rule } = night();
  const { user } = await renderApp(`/alerts/rules/${rule.id}`, { world });
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), '2');
  rule.version = 4;
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/at version 4 by now/)).toBeTruthy();
});

test('an operator reads a rule and cannot change it', async () => {
  const { world, rule } = night();
  if (world.viewer) world.viewer.role = 'OPERATOR';
  await renderApp(`/alerts/rules/${rule.id}`, { world });
  expect(await screen.findByText('Retries exhausted')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

test('what is no number is refused at its field, and neither saved nor tried', async () => {
  const { world, rule } = night();
  rule.conditions = [makeCondition('RETRIES_EXHAUSTED', { count: 3, of: 5 })];
  const { user } = await renderApp(`/alerts/rules/${rule.id}`, { world });
  const problems = await region('Problems');
  const count = problems.getByLabelText('How many');
  await user.clear(count);
  await user.type(count, 'three');
  await user.click(screen.getByRole('button', { name: 'Try it' }));
  expect(await problems.findByText(/^How many is “three”, which is no number/)).toBeTruthy();
  await user.clear(count);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await problems.findByText(/^How many is empty/)).toBeTruthy();
  expect(world.calls.some(({ name }) => /AlertRuleTrial|UpdateAlertRule/.test(name))).toBe(false);
});
