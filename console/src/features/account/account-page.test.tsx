import { makePerson } from '@mock/alert-records';
import { World } from '@mock/world';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

test('language and zone are kept with the account', async () => {
  const { user, world } = await renderApp('/account');
  const panel = within(await screen.findByRole('region', { name: 'Language and time' }));
  await user.click(panel.getByRole('combobox', { name: 'Language' }));
  await user.click(await screen.findByRole('option', { name: '简体中文' }));
  await user.click(panel.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('heading', { name: '账号' })).toBeTruthy();
  expect(world.viewer).toMatchObject({ locale: 'zh-CN', timeZone: 'browser' });
});

test('a wrong present password is said at its field; a right one sets the new one', async () => {
  const { user, world } = await renderApp('/account');
  await user.type(await screen.findByLabelText('Present password'), 'guess');
  await user.type(screen.getByLabelText('New password'), 'battery staple');
  await user.type(screen.getByLabelText('The same again'), 'battery staple');
  await user.click(screen.getByRole('button', { name: 'Set password' }));
  expect(await screen.findByText(/The present password is wrong/)).toBeTruthy();
  await user.clear(screen.getByLabelText('Present password'));
  await user.type(screen.getByLabelText('Present password'), 'correct horse');
  await user.click(screen.getByRole('button', { name: 'Set password' }));
  expect(await screen.findByText('The new password holds.')).toBeTruthy();
  expect(world.password).toBe('battery staple');
});

test('contacts are kept, and a wrong one is said at its field', async () => {
  const world = new World();
  const me = makePerson('admin');
  world.people.push(makePerson('li.lei'), me);
  const { user } = await renderApp('/account', { world });
  const panel = within(await screen.findByRole('region', { name: 'How alerts reach you' }));
  await user.type(await panel.findByLabelText('E-mail'), 'nowhere');
  await user.click(panel.getByRole('button', { name: 'Save' }));
  expect(await panel.findByText(/"nowhere" is no address/)).toBeTruthy();
  await user.type(panel.getByLabelText('E-mail'), '@example.com');
  await user.click(panel.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(me.contacts.email).toBe('nowhere@example.com'));
});

test('a second factor is set up with the password and a first code, and removed again', async () => {
  const { user, world } = await renderApp('/account');
  const panel = within(await screen.findByRole('region', { name: 'Second factor' }));
  await user.click(await panel.findByRole('button', { name: 'Set up' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(await dialog.findByLabelText('Present password'), 'guess{Enter}');
  expect(
    await dialog.findByText('currentPassword is wrong; type the present password.'),
  ).toBeTruthy();
  await user.clear(dialog.getByLabelText('Present password'));
  await user.type(dialog.getByLabelText('Present password'), 'correct horse{Enter}');
  expect(await dialog.findByRole('img', { name: /QR code/ })).toBeTruthy();
  await user.type(dialog.getByLabelText('Code'), '000000{Enter}');
  expect(await dialog.findByText('The code is wrong or was used already.')).toBeTruthy();
  await user.clear(dialog.getByLabelText('Code'));
  await user.type(dialog.getByLabelText('Code'), '123456{Enter}');
  await user.click(await dialog.findByLabelText('I have kept the codes in a safe place'));
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  expect(await panel.findByText('10')).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Remove' }));
  const removing = within(await screen.findByRole('dialog', { name: 'Remove' }));
  await user.type(await removing.findByLabelText('Present password'), 'correct horse{Enter}');
  expect(await panel.findByRole('button', { name: 'Set up' })).toBeTruthy();
  expect(world.factor.since).toBeNull();
});

test('another browser is signed out from here, this one is not', async () => {
  const { user, world } = await renderApp('/account');
  const panel = within(await screen.findByRole('region', { name: 'Where you are signed in' }));
  expect(await panel.findByText('Chrome, Linux · this one')).toBeTruthy();
  expect(panel.getByText('Safari, iPhone')).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(world.sessions.map((each) => each.id)).toEqual(['s1']));
  await waitFor(() => expect(panel.queryByText('Safari, iPhone')).toBeNull());
});
