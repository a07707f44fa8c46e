import { need, taskView } from './queries.ts';
import type { World } from './world.ts';

/** A made-up answer: by the task of that instant, the skipped fires and the job's state. */
export function whyNotRun(
  world: World,
  { job: id, at, locale }: { job: string; at: string; locale: string },
): object {
  const job = need(world.jobs, id);
  const instant = Date.parse(at);
  const zh = locale === 'zh-CN';
  const fires = (step: number) => new Date(Math.round(instant / 300_000) * 300_000 + step);
  const around = {
    previousFire: fires(-300_000).toISOString(),
    nextFire: fires(300_000).toISOString(),
  };
  const given = world.whys.get(at);
  const task = world.tasks.find((t) => t.jobId === id && Date.parse(t.scheduledAt) === instant);
  const seen = { ...around, task: task ? taskView(world, task) : null };
  if (given) return { ...seen, ...given };
  if (task) {
    return {
      ...seen,
      code: task.state === 'SUCCEEDED' ? 'RAN' : task.state === 'SKIPPED' ? 'OVERLAP' : 'FAILED',
      answer: zh
        ? `该时刻的任务状态为 ${task.state}。`
        : `Its task of that instant is ${task.state}.`,
      evidence: [{ at: task.createdAt, message: 'The fire became this task.' }],
    };
  }
  const skipped = (job.skippedFires as { firstAt: string; lastAt: string; message: string }[]).find(
    (s) => Date.parse(s.firstAt) <= instant && instant <= Date.parse(s.lastAt),
  );
  if (skipped) {
    return {
      ...seen,
      code: 'MISFIRE',
      answer: zh
        ? '当时没有服务器运行；按作业规则，错过的触发只补跑最近一次。'
        : 'No server was up at that time; by the job’s rule the latest of the missed fires ran once for all.',
      evidence: [
        { at: skipped.firstAt, message: 'First fire of the gap.' },
        { at: skipped.lastAt, message: skipped.message },
        { at: null, message: 'Misfire rule: run the latest once, grace 1m.' },
      ],
    };
  }
  return {
    ...seen,
    code: 'NO_FIRE',
    answer: zh ? '该时刻没有触发。' : 'No fire of this job lies at that instant.',
    evidence: [],
  };
}
