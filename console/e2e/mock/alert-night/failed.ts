import { makeAttempt, makeTask } from '../factories.ts';
import type { JobRecord, TaskRecord } from '../records.ts';
import type { World } from '../world.ts';
import { ago, hour, iso, refused } from './when.ts';

/** The task that woke somebody: three attempts on three nodes, the second lost. */
export function addFailedTask(world: World, nightly: JobRecord): TaskRecord {
  const now = Date.now();
  const task = makeTask(nightly, {
    id: '01JDX0ALERTTASK0000000000A',
    state: 'FAILED',
    scheduledAt: ago(4),
    attempt: 3,
    maxAttempts: 3,
    error: refused,
    attempts: [1, 2, 3].map((number) =>
      makeAttempt(
        number,
        iso(now - 4 * hour + number * 60_000),
        iso(now - 4 * hour + number * 60_000 + 1_400),
        {
          state: number === 2 ? 'LOST' : 'FAILED',
          nodeName: `shop-7f9c-${number}`,
          error: number === 2 ? 'The node went away.' : refused,
        },
      ),
    ),
  });
  world.tasks.push(task);
  return task;
}
