import { type BulkRecord, makeBulk } from './bulk.ts';
import type { World } from './world.ts';

const minute = 60_000;
const iso = (ms: number) => new Date(ms).toISOString();

const kinds: Partial<BulkRecord>[] = [
  {
    kind: 'RETRY',
    state: 'RUNNING',
    total: 12_480,
    done: 7_311,
    patch: { source: 'replica', dryRun: null },
    reason: 'The primary was down between 02:00 and 03:10; read from the replica instead.',
  },
  { kind: 'DISCARD', state: 'FINISHED', total: 64, done: 64, reason: 'duplicates of yesterday' },
  { kind: 'CANCEL', state: 'CANCELLED', total: 3_000, done: 1_200 },
  { kind: 'RETRY', state: 'FINISHED', total: 3, done: 3, parameters: { limit: 50 } },
  { kind: 'RETRY', state: 'FINISHED', total: 1, done: 1 },
];

/** So many bulk operations, the newest one under way and with refusals. */
export function addBulks(world: World, jobId: string, count: number): void {
  const refused = world.tasks.filter((t) => t.state === 'SUCCEEDED').slice(0, 6);
  for (let i = 0; i < count; i++) {
    const at = Date.now() - (i * 47 + 2) * minute;
    const kind = kinds[i % kinds.length];
    const filter = {
      states: ['FAILED'],
      job: jobId,
      from: iso(at - 180 * minute),
      trigger: 'CRON',
    };
    world.bulks.push(
      makeBulk({
        id: `bulk${i + 1}`,
        createdAt: iso(at),
        createdBy: i % 2 === 0 ? 'admin' : 'grace.hopper',
        finishedAt: kind?.state === 'RUNNING' ? null : iso(at + minute),
        selection:
          i % 3 === 1 ? { asOf: iso(at), named: kind?.total } : { asOf: iso(at), ...filter },
        ...kind,
        ...(i > 0 && kind?.state === 'RUNNING' && { state: 'FINISHED', done: kind.total ?? 0 }),
        ...(i === 0 && {
          moreRefused: 61,
          refusals: [
            ...refused.map(({ id }) => ({
              taskId: id,
              message:
                'The task has succeeded by now; only one that has failed gets another attempt.',
            })),
            {
              taskId: '01JDX0GONE0000000000000001',
              message: 'The task is gone: its history was deleted.',
            },
          ],
        }),
      }),
    );
  }
}
