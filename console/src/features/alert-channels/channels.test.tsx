import { makeChannel } from '@mock/alert-records';
import { World } from '@mock/world';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function withChannels() {
  const world = new World();
  const ding = makeChannel({
    name: 'ops',
    kind: 'DINGTALK',
    settings: { url: 'https://oapi.dingtalk.com/(hidden)', secret: '(hidden)' },
  });
  const gone = makeChannel({
    name: 'status',
    enabled: false,
    disabledReason: 'The receiver answered 410 Gone.',
    lastError: 'The receiver answered 410 Gone.',
  });
  world.channels.push(ding, gone);
  return { world, ding, gone };
}

test('the form asks what the kind needs; a refusal stands at its field', async () => {
  const { world } = withChannels();
  const { user, at } = await renderApp('/alerts/channels/new', { world });
  await user.click(await screen.findByRole('combobox', { name: 'Kind' }));
  await user.click(await screen.findByRole('option', { name: 'E-mail' }));
  expect(await screen.findByLabelText(/^Host/)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>(/^Port/).value).toBe('587');
  await user.click(screen.getByRole('combobox', { name: 'Kind' }));
  await user.click(await screen.findByRole('option', { name: 'Webhook' }));
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'hook');
  await user.type(screen.getByRole('textbox', { name: 'Address' }), 'nowhere');
  await user.click(screen.getByRole('button', { name: 'Create channel' }));
  expect(await screen.findByText('"nowhere" is no address. Write https://…')).toBeTruthy();
  await user.clear(screen.getByRole('textbox', { name: 'Address' }));
  await user.type(screen.getByRole('textbox', { name: 'Address' }), 'https://example.com/x');
  await user.click(screen.getByRole('button', { name: 'Create channel' }));
  await waitFor(() => expect(at()).toBe(`/alerts/channels/${world.channels[2]?.id}`));
  expect(world.channels[2]?.settings).toMatchObject({ url: 'https://example.com/x' });
});

test('a stored secret is not shown, and stays when its field is left empty', async () => {
  const { world, ding } = withChannels();
  const { user } = await renderApp(`/alerts/channels/${ding.id}`, { world });
  const secret = await screen.findByLabelText<HTMLInputElement>('Signing secret');
  expect(secret.value).toBe('');
  expect(secret.placeholder).toBe('(stored)');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('ops was saved.')).toBeTruthy();
  const call = world.calls.find(({ name }) => name === 'UpdateAlertChannel');
  expect(call?.variables.input).toMatchObject({ dingtalk: { mentionMobiles: [] }, version: 1 });
  expect(JSON.stringify(call?.variables)).not.toContain('hidden');
});

test('headers and keys that are stored can be taken out, and a new key stands before the old one', async () => {
  const { world } = withChannels();
  const hook = makeChannel({
    name: 'hook',
    kind: 'WEBHOOK',
    settings: {
      url: 'https://example.com/(hidden)',
      secrets: ['(hidden)'],
      headers: { 'X-Team': '(hidden)', 'X-Key': '(hidden)' },
    },
  });
  world.channels.push(hook);
  const { user } = await renderApp(`/alerts/channels/${hook.id}`, { world });
  const headers = await screen.findByLabelText<HTMLTextAreaElement>('Headers');
  expect(headers.value).toBe('X-Team: (hidden)\nX-Key: (hidden)');
  const sent = () =>
    world.calls.filter(({ name }) => name === 'UpdateAlertChannel').at(-1)?.variables;
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(sent()?.input).toMatchObject({
      webhook: {
        url: 'https://example.com/(hidden)',
        secrets: ['(hidden)'],
        headers: { 'X-Team': '(hidden)', 'X-Key': '(hidden)' },
      },
    }),
  );
  await user.clear(headers);
  const keys = screen.getByLabelText<HTMLTextAreaElement>('Signing secrets');
  await user.clear(keys);
  await user.type(keys, 'whsec_new\n(hidden)');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(sent()?.input).toHaveProperty('webhook', {
      url: 'https://example.com/(hidden)',
      secrets: ['whsec_new', '(hidden)'],
      headers: {},
    }),
  );
});

test('a test shows what the receiver answered; one that was switched off says why', async () => {
  const { world, gone } = withChannels();
  const { user } = await renderApp(`/alerts/channels/${gone.id}`, { world });
  expect(
    await screen.findByText(/The server switched it off: The receiver answered 410/),
  ).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Send a test' }));
  expect(await screen.findByText(/sign not match/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Enable' }));
  await waitFor(() => expect(gone.enabled).toBe(true));
});

test('a text of one’s own is shown in both languages, and an unclosed action is refused', async () => {
  const { world, ding } = withChannels();
  const { user } = await renderApp(`/alerts/channels/${ding.id}`, { world });
  expect(await screen.findByText(/不再重试|将不再重试/)).toBeTruthy();
  await user.click(screen.getByRole('switch', { name: /^Own text/ }));
  const text = await screen.findByRole('textbox', { name: 'Text' });
  await user.clear(text);
  await user.click(text);
  await user.paste('Look: {{.Total');
  const english = within(screen.getByRole('region', { name: 'English' }));
  expect(await english.findByText(/does not end an action/)).toBeTruthy();
});

test('whoever may not change channels sees no secret and no form', async () => {
  const { world, ding } = withChannels();
  if (world.viewer) world.viewer.role = 'DEVELOPER';
  await renderApp(`/alerts/channels/${ding.id}`, { world });
  const settings = within(await screen.findByRole('region', { name: 'Settings' }));
  expect(settings.queryByRole('textbox')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

test('switching the channel off, or a server that fails, takes nothing that was typed', async () => {
  const { world, ding } = withChannels();
  const { user } = await renderApp(`/alerts/channels/${ding.id}`, { world });
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
  await user.type(name, '-night');
  expect(screen.getByText('Not saved yet')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Disable' }));
  expect(await screen.findByRole('button', { name: 'Enable' })).toBeTruthy();
  expect(name.value).toBe('ops-night');
  world.faults.error = { only: 'UpdateAlertChannel', code: 'INTERNAL', message: 'No ledger.' };
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('No ledger.')).toBeTruthy();
  expect(name.value).toBe('ops-night');
  world.faults.error = null;
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('ops-night was saved.')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('Not saved yet')).toBeNull());
});

test('a limit that is no number is refused at its field and not sent', async () => {
  const { world, ding } = withChannels();
  const { user } = await renderApp(`/alerts/channels/${ding.id}`, { world });
  const limit = await screen.findByLabelText('Messages a minute');
  await user.clear(limit);
  await user.type(limit, 'some');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const sentence =
    'Messages a minute is “some”, which is no number. Write a whole number in digits, such as 5.';
  expect(await screen.findByText(sentence)).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(limit));
  expect(world.calls.some((call) => call.name === 'UpdateAlertChannel')).toBe(false);
});
