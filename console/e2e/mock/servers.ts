import { makeServer } from './factories.ts';
import type { ServerRecord } from './records.ts';
import type { World } from './world.ts';

const iso = (ms: number) => new Date(ms).toISOString();

/** Partitions as a hash would deal them out: scattered, and about as many to each. */
export function deal(count: number): number[][] {
  const hands: number[][] = Array.from({ length: count }, () => []);
  for (let partition = 0; partition < 64; partition++)
    hands[(((partition * 2_654_435_761) % 4_294_967_296) >>> 16) % count]?.push(partition);
  return hands;
}

/** So many servers that lead all partitions, on time. */
export function addServers(world: World, count: number): ServerRecord[] {
  const made = deal(count).map((partitions, i) =>
    makeServer({
      name: `belfry-${i + 1}.internal:7000`,
      startedAt: iso(Date.now() - (i + 1) * 7_900_000),
      lastSeenAt: iso(Date.now() - 400 - i * 130),
      partitions,
      groups: Math.ceil(partitions.length / 3),
      clockOffset: `${(i % 5) - 2}ms`,
      self: i === 0,
    }),
  );
  world.servers.push(...made);
  return made;
}

/** Three servers of which one has no Redis and one is lost, with partitions that nobody took yet. */
export function addTroubledServers(world: World): void {
  const [, second, third] = addServers(world, 3);
  if (!second || !third) return;
  Object.assign(second, {
    locks: 'DATABASE',
    lag: '7.4s',
    clockOffset: '812ms',
    degraded: [
      'Its clock is 812ms ahead of the database’s: synchronise both, for example with chrony.',
      'Redis does not answer it: its locks are leases in the database, and hints between servers are lost, which costs up to some seconds.',
    ],
  });
  Object.assign(third, {
    state: 'LOST',
    lastSeenAt: iso(Date.now() - 19_000),
    degraded: ['It has not been heard of for 19s: the other servers take its partitions.'],
  });
}
