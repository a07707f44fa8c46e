import type { ServerRowFragment } from '@/graphql/generated/graphql';

/** Into how many parts the node groups are shared out among the servers. */
export const partitionCount = 64;

/** A server's place in the picture of partitions. */
export interface Owner {
  server: ServerRowFragment;
  /** A, B, … Z, AA: tells servers apart without colour. */
  letter: string;
  /** Which of the picture's six colours. */
  colour: number;
}

export interface Shares {
  /** Who leads each partition; null: nobody, as the last one was lost or all gave it up. */
  cells: readonly (Owner | null)[];
  /** Those that lead something, by name. */
  owners: readonly Owner[];
  /** Partitions that nobody leads, ascending. */
  orphans: readonly number[];
}

const colours = 6;

/** By name as people count: belfry-2 before belfry-10. */
export const compareNames = new Intl.Collator('en', { numeric: true }).compare;

/** Shares the partitions out as the servers say. A lost server leads nothing any more. Pure. */
export function sharesOf(servers: readonly ServerRowFragment[]): Shares {
  const owners = servers
    .filter((server) => server.state !== 'LOST' && server.partitions.length > 0)
    .toSorted((a, b) => compareNames(a.name, b.name) || a.startedAt.localeCompare(b.startedAt))
    .map((server, i) => ({ server, letter: letterOf(i), colour: i % colours }));
  const cells: (Owner | null)[] = Array.from({ length: partitionCount }, () => null);
  for (const owner of owners) {
    for (const partition of owner.server.partitions) {
      if (partition >= 0 && partition < partitionCount) cells[partition] = owner;
    }
  }
  return { cells, owners, orphans: cells.flatMap((owner, i) => (owner ? [] : [i])) };
}

function letterOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last;
}

/** Ascending numbers as people write them: 0–20, 22, 30–31. */
export function rangesText(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const n of numbers) {
    const run = runs.at(-1);
    if (run && n === run[1] + 1) run[1] = n;
    else runs.push([n, n]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}
