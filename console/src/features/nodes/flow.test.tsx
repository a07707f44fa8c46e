import { makeApp, makeGroup, makeNode } from '@mock/factories';
import { World } from '@mock/world';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

function shop(over: Parameters<typeof makeGroup>[1] = {}) {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app, over);
  world.apps.push(app);
  world.groups.push(group);
  world.nodes.push(makeNode(group, { name: 'node-1' }));
  return { world, app, group };
}

const panel = async (name = 'shop / default') =>
  within(await screen.findByRole('region', { name }));
const figure = async (label: string) => {
  const found = (await panel()).getByText(label).parentElement;
  if (!found) throw new Error(`${label} is no figure`);
  return found.textContent;
};

test('nothing waits', async () => {
  const { world } = shop();
  await renderApp('/nodes', { world });
  expect(await figure('Due now')).toBe('Due now0nothing waits');
  expect(await figure('Done in')).toBe('Done in—nothing waits');
  expect(await figure('Started in the last second')).toContain('no release rate is set');
});

test('a line: how long, how old, how fast, when it is gone', async () => {
  const { world } = shop({
    due: '18240',
    oldestDueAt: new Date(Date.now() - 96_000).toISOString(),
    drainsIn: '2m41.3s',
    releasedLastSecond: 113,
    releaseRate: 200,
  });
  await renderApp('/nodes', { world });
  expect(await figure('Due now')).toMatch(/^Due now18,240the oldest waits 1 m \d\d s$/);
  expect(await figure('Done in')).toMatch(/^Done inabout 2 m 41 s/);
  expect(await figure('Started in the last second')).toContain('113of at most 200 a second');
});

test('a line of which the end cannot be said says why', async () => {
  const { world } = shop({ due: '3', drainsNote: 'Nothing was released for ten seconds.' });
  await renderApp('/nodes', { world });
  expect(await figure('Done in')).toBe(
    'Done incannot be saidNothing was released for ten seconds.',
  );
});

test.each([
  ['SLOTS', 'All 16 slots are busy.', /Start more nodes/],
  ['MAX_RUNNING', '12 tasks run, as many as the group allows.', /raise “Most running at once”/],
  ['RELEASE_RATE', 'The release rate holds tasks back: 50 a second.', /raise the rate/],
  ['JOB_LIMITS', 'What is due waits for its own job.', /Other jobs are not held up/],
  ['NO_NODES', 'No node is online that could run what is due.', /Start a worker/],
])('%s: says what sets the pace and what to do', async (limitedBy, what, remedy) => {
  const { world } = shop({ due: '7', limitedBy, maxRunning: 12, releaseRate: 50 });
  await renderApp('/nodes', { world });
  const found = await (await panel()).findByText(what);
  expect(found.parentElement?.textContent).toMatch(remedy);
});

test('settings that are odd together are told', async () => {
  const { world } = shop({ warnings: ['The burst is above the release rate.'] });
  await renderApp('/nodes', { world });
  expect(await (await panel()).findByText('The burst is above the release rate.')).toBeTruthy();
});

test('figures are followed live, without reading the list again', async () => {
  const { world, group, app } = shop();
  await renderApp('/nodes', { world });
  expect(await figure('Due now')).toContain('0');
  const asked = () => world.calls.filter((call) => call.name === 'NodeGroups').length;
  const before = asked();
  Object.assign(group, { due: '512', limitedBy: 'SLOTS' });
  act(() => world.groupChanged(group));
  await waitFor(async () => expect(await figure('Due now')).toContain('512'));
  expect(await (await panel()).findByText('All 16 slots are busy.')).toBeTruthy();
  expect(asked()).toBe(before);
  // One that nobody knows yet makes it read again.
  const fresh = makeGroup(app, { name: 'batch' });
  world.groups.push(fresh);
  act(() => world.groupChanged(fresh));
  expect(await panel('shop / batch')).toBeTruthy();
});

test('labels stand beside the name; a suspect node says what that means', async () => {
  const { world } = shop();
  Object.assign(world.nodes[0] ?? {}, { state: 'SUSPECT', labels: { zone: 'a', gpu: 'yes' } });
  await renderApp('/nodes', { world });
  const labels = within(await screen.findByRole('list', { name: 'Labels' }));
  expect(labels.getAllByRole('listitem').map((each) => each.textContent)).toEqual([
    'zone=a',
    'gpu=yes',
  ]);
  expect(screen.getByText(/If it stays silent for 15s, it counts as lost/)).toBeTruthy();
});

test('ten thousand nodes in many groups stay quick to look at', async () => {
  const { world, app } = shop();
  for (let i = 0; i < 100; i++) {
    const group = makeGroup(app, { name: `g-${100 + i}` });
    world.groups.push(group);
    for (let n = 0; n < 100; n++) world.nodes.push(makeNode(group, { name: `n-${i}-${n}` }));
  }
  await renderApp('/nodes', { world });
  await panel();
  expect(await screen.findByText('91 more are not shown')).toBeTruthy();
  await waitFor(() => expect(screen.getAllByRole('table')).toHaveLength(10));
});
