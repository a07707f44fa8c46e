import { jobView, need, taskView } from './queries.ts';
import type { World } from './world.ts';

/** A morning report of made-up figures over the world's own jobs. */
export function reportOf(world: World): object {
  const quiet = world.jobs.length === 0;
  const end = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  const [first, second] = world.jobs;
  const failed = world.tasks.filter((task) => task.state === 'FAILED');
  const line = (over: object) => ({
    job: null,
    task: null,
    at: null,
    count: '1',
    error: '',
    duration: null,
    usual: null,
    ...over,
  });
  const figures = (ran: number, bad: number) => ({
    ran: String(ran),
    succeeded: String(Math.max(0, ran - bad)),
    failed: String(bad),
    recovered: String(Math.ceil(bad / 2)),
    takenOver: quiet ? '0' : '2',
    late: quiet ? '0' : '5',
    missed: quiet ? '0' : '3',
    running: quiet ? '0' : '1',
    slower: quiet ? '0' : '2',
  });
  return {
    from: new Date(end - 86_400_000).toISOString(),
    to: new Date(end).toISOString(),
    figures: figures(quiet ? 0 : 12_480, failed.length),
    week: { ...figures(quiet ? 0 : 11_903, quiet ? 0 : 1), late: '6', slower: quiet ? '0' : '1' },
    failedJobs: String(failed.length),
    missedJobs: first ? '1' : '0',
    failures: failed.slice(0, 20).map((task) =>
      line({
        job: jobView(world, need(world.jobs, task.jobId)),
        task: taskView(world, task),
        at: task.finishedAt,
        error: task.error ?? '',
      }),
    ),
    missed: first ? [line({ job: jobView(world, first), at: first.lastFireAt, count: '3' })] : [],
    slow: second
      ? [line({ job: jobView(world, second), duration: '7m12s', usual: '3m4s', count: '12' })]
      : [],
    running: world.tasks
      .filter((task) => task.state === 'RUNNING')
      .slice(0, 20)
      .map((task) => {
        const job = world.jobs.find((each) => each.id === task.jobId);
        return line({
          job: job ? jobView(world, job) : null,
          task: taskView(world, task),
          at: task.startedAt,
          duration: '3h4m0s',
          usual: '12m0s',
        });
      }),
  };
}
