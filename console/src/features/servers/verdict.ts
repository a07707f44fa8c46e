import type { ServerRowFragment } from '@/graphql/generated/graphql';
import { parseDuration } from '@/time/duration';
import { compareNames, sharesOf } from './partitions';

/** From this lateness on something is wrong: a busy moment does not take so long. In milliseconds. */
export const lateFrom = 5_000;

/** What the servers come to, the gravest first. */
export type Verdict =
  | { code: 'ORPHANS'; count: number }
  | { code: 'LOST'; count: number }
  | { code: 'DEGRADED'; count: number }
  | { code: 'LATE'; lag: number }
  | { code: 'STOPPING'; count: number }
  | { code: 'WELL'; count: number };

/** How late a server is, in milliseconds; 0 when nothing waits for it. */
export const lagOf = (server: ServerRowFragment): number => parseDuration(server.lag ?? '0s') ?? 0;

/** How much attention a server needs: 0 is the most. */
export function urgency(server: ServerRowFragment): number {
  if (server.state === 'LOST') return 0;
  if (server.degraded.length > 0) return 1;
  if (lagOf(server) >= lateFrom) return 2;
  return server.state === 'STOPPING' ? 3 : 4;
}

/** Those that need attention first, then by name. */
export function byUrgency(servers: readonly ServerRowFragment[]): ServerRowFragment[] {
  return servers.toSorted((a, b) => urgency(a) - urgency(b) || compareNames(a.name, b.name));
}

/** The one thing to know about all servers together. Pure. */
export function verdictOf(servers: readonly ServerRowFragment[]): Verdict {
  const orphans = sharesOf(servers).orphans.length;
  if (orphans > 0) return { code: 'ORPHANS', count: orphans };
  const having = (level: number) => servers.filter((server) => urgency(server) === level).length;
  const [lost, degraded, late, stopping] = [0, 1, 2, 3].map(having);
  if (lost) return { code: 'LOST', count: lost };
  if (degraded) return { code: 'DEGRADED', count: degraded };
  if (late) return { code: 'LATE', lag: Math.max(...servers.map(lagOf)) };
  if (stopping) return { code: 'STOPPING', count: stopping };
  return { code: 'WELL', count: servers.length };
}
