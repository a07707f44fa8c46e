import { makeApp, makeGroup, makeJob } from '@mock/factories';
import { dependency } from '@mock/triggers';
import { World } from '@mock/world';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderApp } from '@/testing/render';

function shop() {
  const world = new World();
  const [app, bank] = [makeApp(), makeApp({ name: 'bank' })];
  const [group, theirs] = [makeGroup(app), makeGroup(bank)];
  world.apps.push(app, bank);
  world.groups.push(group, theirs);
  const statement = makeJob(theirs, { name: 'bank-statement' });
  const report = makeJob(group, { name: 'daily-report' });
  const reconcile = makeJob(group, {
    name: 'reconcile',
    trigger: dependency({ upstream: [{ job: report.id }], window: 'DAY', zone: 'Asia/Shanghai' }),
  });
  const mail = makeJob(group, {
    name: 'send-mail',
    trigger: dependency({ upstream: [{ job: reconcile.id }] }),
  });
  world.jobs.push(statement, report, reconcile, mail);
  return { world, statement, report, reconcile, mail };
}

async function add(user: Awaited<ReturnType<typeof renderApp>>['user'], name: string) {
  await user.click(await screen.findByRole('combobox', { name: 'Add a job to wait for' }));
  await user.click(await screen.findByRole('option', { name }));
}

test('says in a sentence what it waits for, and sends it', async () => {
  const { world, statement, report, reconcile } = shop();
  const { user, at } = await renderApp(`/jobs/${reconcile.id}/edit`, { world });
  expect(
    await screen.findByText('Runs once a day, after daily-report has succeeded for that day.'),
  ).toBeTruthy();
  await add(user, 'bank / bank-statement');
  expect(screen.getByText(/after daily-report and bank-statement have succeeded/)).toBeTruthy();
  await user.click(screen.getByRole('combobox', { name: 'Which end of bank-statement counts' }));
  await user.click(await screen.findByRole('option', { name: 'has ended' }));
  await user.click(screen.getByRole('radio', { name: 'Any of them' }));
  expect(
    screen.getByText(/as soon as daily-report has succeeded or bank-statement has ended/),
  ).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(at()).toBe(`/jobs/${reconcile.id}`));
  const sent = world.calls.find((c) => c.name === 'UpdateJob')?.variables.input;
  expect(sent).toMatchObject({
    trigger: {
      dependency: {
        upstream: [
          { job: report.id, on: 'SUCCESS' },
          { job: statement.id, on: 'COMPLETION' },
        ],
        mode: 'ANY',
        window: 'DAY',
        zone: 'Asia/Shanghai',
      },
    },
  });
});

test('draws the jobs around it, each with a link', async () => {
  const { world, report, reconcile, mail } = shop();
  await renderApp(`/jobs/${reconcile.id}/edit`, { world });
  const picture = within(await screen.findByRole('region', { name: /The jobs around this one/ }));
  const downstream = await picture.findByRole('link', { name: 'shop / send-mail' });
  expect(downstream.getAttribute('href')).toBe(`/jobs/${mail.id}`);
  const upstream = picture.getByRole('link', { name: 'shop / daily-report' });
  expect(upstream.getAttribute('href')).toBe(`/jobs/${report.id}`);
  expect(picture.getByText('reconcile')).toBeTruthy();
});

test('on a phone the layers stand one below the other', async () => {
  const wide = window.matchMedia;
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...wide(query),
    matches: query === '(max-width: 760px)',
  }));
  const { world, reconcile, mail } = shop();
  await renderApp(`/jobs/${reconcile.id}/edit`, { world });
  const list = await screen.findByRole('list', { name: /The jobs around this one/ });
  const downstream = await within(list).findByRole('link', { name: /send-mail/ });
  expect(downstream.getAttribute('href')).toBe(`/jobs/${mail.id}`);
  expect([...list.children].map((layer) => layer.textContent)).toEqual([
    'It waits forshop / daily-report',
    'reconcile',
    'Wait for itshop / send-mail',
  ]);
});

test('a circle is refused at the field, with the way around it', async () => {
  const { world, reconcile } = shop();
  const { user } = await renderApp(`/jobs/${reconcile.id}/edit`, { world });
  await screen.findByText(/Runs once a day/);
  await add(user, 'shop / send-mail');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/reconcile → send-mail → reconcile/)).toBeTruthy();
  const field = screen.getByRole('combobox', { name: 'Add a job to wait for' });
  expect(field.getAttribute('aria-invalid')).toBe('true');
});

test('without a job to wait for it is not sent', async () => {
  const { world, reconcile } = shop();
  const { user } = await renderApp(`/jobs/${reconcile.id}/edit`, { world });
  await user.click(await screen.findByRole('button', { name: 'Do not wait for daily-report' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Choose a job to wait for.')).toBeTruthy();
  expect(world.calls.some((c) => c.name === 'UpdateJob')).toBe(false);
});
