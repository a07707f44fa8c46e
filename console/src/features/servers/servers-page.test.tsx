import { makeServer } from '@mock/factories';
import { addServers, addTroubledServers } from '@mock/servers';
import { World } from '@mock/world';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

const verdict = async () =>
  within(await screen.findByRole('region', { name: 'State of the servers' }));

const row = async (name: string) => {
  const table = within(await screen.findByRole('table', { name: 'Servers' }));
  const found = (await table.findByText(name)).closest('tr');
  if (!found) throw new Error(`${name} is not in a row`);
  return within(found);
};

function open(fill: (world: World) => void, address = '/servers') {
  const world = new World();
  fill(world);
  return renderApp(address, { world });
}

test('no server at all says what that means', async () => {
  await open(() => undefined);
  expect(await screen.findByText('No server has given a sign of life')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Who leads what' })).toBeNull();
});

test('three servers that are well: one line says so, each row says what it leads', async () => {
  await open((world) => addServers(world, 3));
  expect((await verdict()).getByText('All is well')).toBeTruthy();
  expect((await verdict()).getByText('3 servers lead all 64 partitions, on time.')).toBeTruthy();
  const first = await row('belfry-1.internal:7000');
  expect(first.getByText('this server')).toBeTruthy();
  expect(first.getByText('Live')).toBeTruthy();
  expect(first.getByText('Redis')).toBeTruthy();
  expect(first.getByText('on time')).toBeTruthy();
  expect((await row('belfry-2.internal:7000')).queryByText('this server')).toBeNull();
});

test('trouble: what is wrong in words, lost partitions, and the troubled first', async () => {
  await open(addTroubledServers);
  const box = await verdict();
  expect(box.getByText(/partitions are led by nobody$/)).toBeTruthy();
  const troubles = within(box.getByRole('list', { name: 'What is wrong' }));
  expect(troubles.getAllByRole('listitem')[0]?.textContent).toContain('not been heard of for 19s');
  expect(troubles.getByText(/Redis does not answer it/)).toBeTruthy();
  expect((await row('belfry-3.internal:7000')).getByText('Lost')).toBeTruthy();
  const second = await row('belfry-2.internal:7000');
  expect(second.getByText('Degraded')).toBeTruthy();
  expect(second.getByText('7.4 s')).toBeTruthy();
  expect(second.getByText('+812 ms')).toBeTruthy();
  expect(second.getByText('database')).toBeTruthy();
});

test('the picture of partitions is there in words too', async () => {
  const { world } = await open((w) => {
    w.servers.push(
      makeServer({ name: 'north', partitions: Array.from({ length: 40 }, (_, i) => i) }),
      makeServer({ name: 'south', partitions: [40, 41, 63] }),
    );
  });
  const picture = await screen.findByRole('img', { name: /^Who leads what/ });
  expect(picture.getAttribute('aria-label')).toBe(
    'Who leads what. A, north: 0–39. B, south: 40–41, 63. Nobody: 42–62',
  );
  const legend = within(screen.getByRole('list', { name: 'Partitions by server' }));
  expect(legend.getByText('40–41, 63')).toBeTruthy();
  expect(legend.getByText('21 partitions')).toBeTruthy();
  expect(world.servers).toHaveLength(2);
});

test('changes are followed: a partition moves, a server appears, one is lost', async () => {
  const { world } = await open((w) => addServers(w, 2));
  await row('belfry-2.internal:7000');
  const [first, second] = world.servers;
  if (!first || !second) throw new Error('no servers');
  first.partitions = [...first.partitions, ...second.partitions].sort((a, b) => a - b);
  Object.assign(second, { state: 'LOST', partitions: [], degraded: ['It is silent.'] });
  act(() => {
    world.serverChanged(first);
    world.serverChanged(second);
  });
  expect(await (await verdict()).findByText('1 server is lost')).toBeTruthy();
  expect((await row('belfry-2.internal:7000')).getByText('Lost')).toBeTruthy();
  expect(screen.getByText('0–63')).toBeTruthy();
  const fresh = makeServer({ name: 'fresh' });
  world.servers.push(fresh);
  act(() => world.serverChanged(fresh));
  expect(await row('fresh')).toBeTruthy();
});

test('ten thousand servers: the first are shown, the others when asked for', async () => {
  const { user } = await open((w) => {
    for (let i = 0; i < 10_000; i++) w.servers.push(makeServer({ name: `s-${10_000 + i}` }));
  });
  const table = await screen.findByRole('table', { name: 'Servers' });
  await waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(51));
  expect(screen.getByText('9,950 more are not shown')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Show 50 more' }));
  expect(within(table).getAllByRole('row')).toHaveLength(101);
});

test('a slow server: the page stands, and says that it waits', async () => {
  await open((world) => {
    addServers(world, 1);
    world.faults.late = { only: 'Servers', ms: 4_000 };
  });
  expect(await screen.findByRole('heading', { name: 'Servers' })).toBeTruthy();
  expect(await screen.findByText('The server is taking its time. Still waiting…')).toBeTruthy();
  expect((await verdict()).getByText('All is well')).toBeTruthy();
});

test('a broken server: its sentence, and a way to try again; what was read stays', async () => {
  const { user, world, line } = await open((w) => {
    addServers(w, 1);
    w.faults.error = { only: 'Servers', code: 'INTERNAL', message: 'The ledger is away.' };
  });
  expect(await screen.findByText('The ledger is away.')).toBeTruthy();
  world.faults.error = null;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect((await verdict()).getByText('All is well')).toBeTruthy();
  world.faults.status = 503;
  line.drop();
  act(() => line.mend());
  expect(await screen.findByText(/The server answered with status 503/)).toBeTruthy();
  expect(await row('belfry-1.internal:7000')).toBeTruthy();
});
