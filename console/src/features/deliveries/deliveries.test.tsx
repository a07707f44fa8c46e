import { makeChannel, makeIncident, makeNote } from '@mock/alert-records';
import { World } from '@mock/world';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function sent() {
  const world = new World();
  const channel = makeChannel({ name: 'phone' });
  const incident = makeIncident({ title: 'payments failed' });
  const held = makeNote({
    subject: 'held back',
    state: 'SUPPRESSED',
    reason: 'At most 6 messages an hour.',
    createdAt: '2026-11-30T03:04:00Z',
  });
  const failed = makeNote({
    subject: 'did not arrive',
    state: 'FAILED',
    reason: 'The receiver answered 410 Gone.',
    channelId: channel.id,
    incidentIds: [incident.id],
    tries: [
      {
        number: 1,
        at: '2026-11-30T03:02:13Z',
        duration: '31ms',
        status: 410,
        response: 'no such hook',
        error: 'The receiver answered 410 Gone.',
        nextAt: null,
      },
    ],
  });
  world.channels.push(channel);
  world.incidents.push(incident);
  world.notes.push(held, failed);
  return { world, held, failed, incident };
}

test('a message shows its tries with the answer, and is sent again', async () => {
  const { world, failed } = sent();
  const { user, at } = await renderApp('/alerts/deliveries', { world });
  await user.click(await screen.findByRole('link', { name: 'did not arrive' }));
  const box = within(await screen.findByRole('dialog'));
  expect(await box.findByText('no such hook')).toBeTruthy();
  expect(box.getByText('status 410')).toBeTruthy();
  expect(box.getByRole('link', { name: 'payments failed' })).toBeTruthy();
  expect(at()).toBe(`/alerts/deliveries?notification=${failed.id}`);
  await user.click(box.getByRole('button', { name: 'Send again' }));
  expect(await box.findByText('Queued')).toBeTruthy();
  expect(failed.state).toBe('QUEUED');
});

test('the list says why something was not sent; filters are the address', async () => {
  const { world, incident } = sent();
  const { user, at } = await renderApp(`/alerts/deliveries?incident=${incident.id}`, { world });
  expect(await screen.findByRole('link', { name: 'did not arrive' })).toBeTruthy();
  expect(screen.queryByText('held back')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Take off the filter Incident' }));
  await waitFor(() => expect(at()).toBe('/alerts/deliveries'));
  expect(await screen.findByText('At most 6 messages an hour.')).toBeTruthy();
});

test('a message that is sent meanwhile changes by itself', async () => {
  const { world, held } = sent();
  await renderApp('/alerts/deliveries', { world });
  const row = within(
    (await screen.findByRole('link', { name: 'held back' })).closest('tr') ?? document.body,
  );
  held.state = 'SENT';
  world.noteChanged(held);
  expect(await row.findByText('Sent')).toBeTruthy();
});
