import { World } from '@mock/world';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

const stranger = () => {
  const world = new World();
  world.viewer = null;
  return world;
};

test('asks for the name, shows the refusal and goes back to where one wanted to go', async () => {
  const { user, at } = await renderApp('/jobs?q=pay', { world: stranger() });
  await user.type(await screen.findByLabelText('Name'), 'admin');
  await user.type(screen.getByLabelText('Password'), 'wrong horse');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Name or password is wrong');
  await user.type(screen.getByLabelText('Password'), 'correct horse');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('heading', { name: 'Jobs' })).toBeTruthy();
  expect(at()).toBe('/jobs?q=pay');
});

test.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
  'does not lead to %s after signing in',
  async (from) => {
    const { user, at } = await renderApp(`/sign-in?from=${encodeURIComponent(from)}`, {
      world: stranger(),
    });
    await user.type(await screen.findByLabelText('Name'), 'admin');
    await user.type(screen.getByLabelText('Password'), 'correct horse');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(at()).toBe('/'));
  },
);

test('says when the server could not answer', async () => {
  const world = stranger();
  const { user } = await renderApp('/sign-in', { world });
  await user.type(await screen.findByLabelText('Name'), 'admin');
  await user.type(screen.getByLabelText('Password'), 'correct horse');
  world.faults.status = 502;
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(
    await screen.findByText('The server could not answer. Try again in a moment.'),
  ).toBeTruthy();
});

test('a one-time link asks for a password and signs in', async () => {
  const { user, world, at } = await renderApp('/welcome#token=good-token', { world: stranger() });
  expect(
    await screen.findByText('Choose a password for admin. This link works once.'),
  ).toBeTruthy();
  await user.type(screen.getByLabelText('New password'), 'short');
  await user.click(screen.getByRole('button', { name: 'Set password and sign in' }));
  expect(screen.getByText('5 characters are too few; use at least 10.')).toBeTruthy();
  await user.type(screen.getByLabelText('New password'), ' but longer');
  await user.type(screen.getByLabelText('The same again'), 'something else');
  await user.click(screen.getByRole('button', { name: 'Set password and sign in' }));
  expect(screen.getByText('The two differ. Type the same password twice.')).toBeTruthy();
  await user.clear(screen.getByLabelText('The same again'));
  await user.type(screen.getByLabelText('The same again'), 'short but longer');
  await user.click(screen.getByRole('button', { name: 'Set password and sign in' }));
  await waitFor(() => expect(at()).toBe('/'));
  expect(world.viewer?.name).toBe('admin');
});

test('a link for someone who has a password signs in at once', async () => {
  const world = stranger();
  world.link.needsPassword = false;
  const { at } = await renderApp('/welcome#token=good-token', { world });
  await waitFor(() => expect(at()).toBe('/'));
});

test.each(['/welcome#token=used', '/welcome'])('%s says what is wrong', async (address) => {
  await renderApp(address, { world: stranger() });
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to sign-in' })).toBeTruthy();
});

test('a session that ended leads to the sign-in page and back', async () => {
  const { world, session, at, user } = await renderApp('/jobs');
  expect(await screen.findByText('No jobs yet')).toBeTruthy();
  world.viewer = null;
  await user.type(screen.getByRole('searchbox'), 'x');
  await waitFor(() => expect(at()).toContain('/sign-in'));
  expect(session.viewer).toBeNull();
  expect(decodeURIComponent(at())).toContain('from=/jobs');
});

test('signing out forgets everything', async () => {
  const { user, session, at } = await renderApp('/jobs');
  const before = session.client;
  await user.click(await screen.findByRole('button', { name: 'Account of admin' }));
  await user.click(await screen.findByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(at()).toContain('/sign-in'));
  expect(session.client).not.toBe(before);
});

test('an account with a second factor is asked for its code', async () => {
  const world = stranger();
  world.factor.since = '2026-11-01T00:00:00Z';
  const { user, at } = await renderApp('/sign-in?from=/jobs', { world });
  await user.type(await screen.findByLabelText('Name'), 'admin');
  await user.type(screen.getByLabelText('Password'), 'correct horse');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  const code = await screen.findByLabelText('Code');
  expect(document.activeElement).toBe(code);
  expect(code.getAttribute('autocomplete')).toBe('one-time-code');
  await user.type(code, '000000');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect((await screen.findByRole('alert')).textContent).toContain('The code is wrong');
  await user.type(screen.getByLabelText('Code'), '123456{Enter}');
  await waitFor(() => expect(at()).toBe('/jobs'));
});

test('one may begin anew instead of giving the code', async () => {
  const world = stranger();
  world.factor.since = '2026-11-01T00:00:00Z';
  const { user } = await renderApp('/welcome#token=good-token', { world: withPassword(world) });
  expect(await screen.findByLabelText('Code')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Sign in anew' }));
  expect(await screen.findByLabelText('Password')).toBeTruthy();
});

function withPassword(world: World): World {
  world.link.needsPassword = false;
  return world;
}

test('where a second factor is demanded, signing in sets it up', async () => {
  const world = stranger();
  world.factor.required = true;
  const { user, at } = await renderApp('/sign-in', { world });
  await user.type(await screen.findByLabelText('Name'), 'admin');
  await user.type(screen.getByLabelText('Password'), 'correct horse');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('img', { name: /QR code/ })).toBeTruthy();
  expect(screen.getByLabelText('Secret of the second factor').textContent).toBe(
    'JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP',
  );
  await user.type(screen.getByLabelText('Code'), '123456{Enter}');
  expect((await screen.findByLabelText('Recovery codes')).textContent?.split('\n').length).toBe(10);
  const done = screen.getByRole<HTMLButtonElement>('button', { name: 'Done' });
  expect(done.disabled).toBe(true);
  await user.click(screen.getByLabelText('I have kept the codes in a safe place'));
  await user.click(done);
  await waitFor(() => expect(at()).toBe('/'));
});

test('the identity provider has a button only where there is one, and says when it is down', async () => {
  const world = stranger();
  world.methods = { password: true, provider: { name: 'Keycloak', available: false } };
  await renderApp('/sign-in?from=/jobs&refused=forbidden', { world });
  const link = await screen.findByRole('link', { name: 'Sign in with Keycloak' });
  expect(link.getAttribute('href')).toBe('/auth/oidc/start?from=%2Fjobs');
  expect(screen.getByText(/Keycloak did not answer/)).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toContain('in no group');
  expect(screen.getByLabelText('Password')).toBeTruthy();
});

test('where passwords are off, none is asked for', async () => {
  const world = stranger();
  world.methods = { password: false, provider: { name: 'Keycloak', available: true } };
  await renderApp('/sign-in', { world });
  expect(await screen.findByRole('link', { name: 'Sign in with Keycloak' })).toBeTruthy();
  expect(screen.queryByLabelText('Password')).toBeNull();
});
