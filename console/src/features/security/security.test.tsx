import { addFindings, addManyFindings } from '@mock/security';
import { World } from '@mock/world';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { securityFindingCodeValues } from '@/graphql/generated/enums';
import en from '@/i18n/locales/en/security.json';
import zh from '@/i18n/locales/zh-CN/security.json';
import { renderApp } from '@/testing/render';

function open(fill: (world: World) => void) {
  const world = new World();
  fill(world);
  return renderApp('/security', { world });
}

test('nothing weak: it says so, and what it does not look at', async () => {
  await open(() => undefined);
  expect(await screen.findByText('Nothing weak was found')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'What is weak' })).toBeNull();
});

test('the worst first, each with what it is about and its remedy', async () => {
  await open(addFindings);
  expect(await screen.findByText('1 weakness of high severity')).toBeTruthy();
  const list = within(screen.getByRole('region', { name: 'What is weak' }));
  const headings = list.getAllByRole('heading', { level: 3 }).map((h) => h.textContent);
  expect(headings[0]).toContain('without TLS');
  expect(headings).toHaveLength(6);
  expect(list.getByText('High')).toBeTruthy();
  expect(list.getByText('10.0.0.0/8')).toBeTruthy();
  expect(list.getByText(/BELFRY_TLS_CERT/)).toBeTruthy();
});

test('more subjects than are named are counted', async () => {
  await open(addManyFindings);
  expect(await screen.findByText('and 397 more')).toBeTruthy();
});

test('a broken server: its sentence, and a way to try again', async () => {
  const { user, world } = await open((w) => {
    w.faults.error = { only: 'SecurityFindings', code: 'INTERNAL', message: 'The ledger is away.' };
  });
  expect(await screen.findByText('The ledger is away.')).toBeTruthy();
  world.faults.error = null;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Nothing weak was found')).toBeTruthy();
});

test('only administrators have it in the menu', async () => {
  await open((world) => {
    if (world.viewer) world.viewer.role = 'DEVELOPER';
    addFindings(world);
  });
  await screen.findByRole('heading', { name: 'Security' });
  expect(screen.queryByRole('link', { name: 'Security' })).toBeNull();
});

test('each kind of weakness has its words in both languages', () => {
  for (const code of securityFindingCodeValues) {
    for (const words of [en, zh]) {
      expect(words.what[code]).toBeTruthy();
      expect(words.remedies[code]).toBeTruthy();
    }
  }
});
