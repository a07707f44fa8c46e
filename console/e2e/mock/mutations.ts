import { accountMutations } from './accounts.ts';
import { alertMutations } from './alert-mutations.ts';
import { backfillMutations } from './backfill.ts';
import { bulkMutations } from './bulk.ts';
import { calendarMutations } from './calendars.ts';
import { makeJob, makeTask } from './factories.ts';
import { fleetMutations } from './fleet.ts';
import { jobView, need, taskView } from './queries.ts';
import { refusal } from './refusal.ts';
import { revisionMutations } from './revisions.ts';
import { factorMutations } from './second-factor.ts';
import { cycleOf, triggerOf } from './triggers.ts';
import type { World } from './world.ts';

/** The root fields of Mutation. */
export function mutations(world: World) {
  const setEnabled = (id: string, enabled: boolean) => {
    const job = need(world.jobs, id);
    job.enabled = enabled;
    world.jobChanged(job);
    return { job: jobView(world, job), userErrors: [] };
  };
  const setTask = (id: string, state: string) => {
    const message = world.refusals.get(id);
    if (message) return { task: null, userErrors: [refusal('CONFLICT', message)] };
    const task = need(world.tasks, id);
    task.state = state;
    world.taskChanged(task);
    return { task: taskView(world, task), userErrors: [] };
  };
  return {
    ...accountMutations(world),
    ...fleetMutations(world),
    ...backfillMutations(world),
    ...bulkMutations(world),
    ...calendarMutations(world),
    ...alertMutations(world),
    ...factorMutations(world),
    ...revisionMutations(world),
    updateViewer: ({ input }: { input: Record<string, string | null> }) => {
      if (!world.viewer) throw new Error('nobody is signed in');
      if (input.newPassword && input.currentPassword !== world.password) {
        const message = 'The present password is wrong. Type the one you signed in with.';
        return {
          viewer: null,
          userErrors: [refusal('INVALID', message, ['input', 'currentPassword'])],
        };
      }
      if (input.newPassword) world.password = input.newPassword;
      const { locale = world.viewer.locale, timeZone = world.viewer.timeZone } = input;
      world.viewer = { ...world.viewer, locale, timeZone };
      const viewer = { roleInAllApps: world.viewer.role, ...world.viewer };
      return { viewer, userErrors: [] };
    },
    pauseJob: ({ id }: { id: string }) => setEnabled(id, false),
    resumeJob: ({ id }: { id: string }) => setEnabled(id, true),
    deleteJob: ({ id }: { id: string }) => {
      const job = need(world.jobs, id);
      job.deletedAt = world.now().toISOString();
      world.jobChanged(job);
      return { job: jobView(world, job), userErrors: [] };
    },
    createJob: ({ input }: { input: Record<string, unknown> }) => saveJob(world, input),
    updateJob: ({ input }: { input: Record<string, unknown> }) => saveJob(world, input),
    triggerJob: ({ input }: { input: { job: string; parameters?: unknown } }) => {
      const job = need(world.jobs, input.job);
      const at = world.now().toISOString();
      const task = makeTask(job, {
        state: 'RUNNING',
        trigger: 'MANUAL',
        scheduledAt: at,
        startedAt: at,
        finishedAt: null,
        duration: null,
        nodeId: world.nodes[0]?.id ?? null,
        ...(input.parameters === undefined ? {} : { parameters: input.parameters }),
      });
      world.tasks.push(task);
      world.taskChanged(task);
      return { task: taskView(world, task), userErrors: [] };
    },
    rescheduleTask: ({ id, delay, runAt }: { id: string; delay?: string; runAt?: string }) => {
      const message = world.refusals.get(id);
      if (message) return { task: null, userErrors: [refusal('CONFLICT', message)] };
      if (delay && !/^\d+(\.\d+)?(ms|s|m|h)$/.test(delay)) {
        const text = `delay is "${delay}". Write a length of time such as 30s or 5m.`;
        return { task: null, userErrors: [refusal('INVALID', text, ['delay'])] };
      }
      const task = need(world.tasks, id);
      task.availableAt = runAt ?? world.now().toISOString();
      world.taskChanged(task);
      return { task: taskView(world, task), userErrors: [] };
    },
    cancelTask: ({ id }: { id: string }) => setTask(id, 'CANCELLED'),
    retryTask: ({ id, parameters }: { id: string; parameters?: unknown }) => {
      const old = need(world.tasks, id);
      if (old.state === 'FAILED' || world.refusals.has(id)) return setTask(id, 'WAITING');
      const task = makeTask(need(world.jobs, old.jobId), {
        state: 'WAITING',
        trigger: 'MANUAL',
        scheduledAt: world.now().toISOString(),
        startedAt: null,
        finishedAt: null,
        duration: null,
        attempt: 0,
        rootId: old.rootId ?? old.id,
        parameters: parameters ?? old.parameters,
      });
      world.tasks.push(task);
      world.taskChanged(task);
      return { task: taskView(world, task), userErrors: [] };
    },
    discardTask: ({ id }: { id: string }) => setTask(id, 'DISCARDED'),
  };
}

function saveJob(world: World, input: Record<string, unknown>) {
  const name = String(input.name ?? '');
  const taken = world.jobs.find((j) => j.name === name && j.id !== input.id && !j.deletedAt);
  if (taken) {
    const message = `The app has a job "${name}" already. Choose another name.`;
    return { job: null, userErrors: [refusal('TAKEN', message, ['input', 'name'])] };
  }
  const { id, trigger: sent, group, ...fields } = input;
  const trigger = sent ? triggerOf(sent as Parameters<typeof triggerOf>[0]) : null;
  const cycle = cycleOf(world, String(id ?? ''), trigger?.upstream?.map((up) => up.jobId) ?? []);
  if (cycle) {
    const message = `The jobs would wait for one another: ${cycle.join(' → ')}. Take one of them out.`;
    const field = ['input', 'trigger', 'dependency', 'upstream'];
    return { job: null, userErrors: [refusal('INVALID', message, field)] };
  }
  const known = trigger ? { ...fields, trigger } : fields;
  const old = world.jobs.find((j) => j.id === id);
  if (old) {
    if (input.version !== undefined && input.version !== old.version) {
      const message = `The job is at version ${old.version} by now. Load it again and repeat the change.`;
      return { job: null, userErrors: [refusal('CONFLICT', message, ['input', 'version'])] };
    }
    Object.assign(old, known, { version: old.version + 1 });
    world.jobChanged(old);
    return { job: jobView(world, old), userErrors: [] };
  }
  const job = makeJob(need(world.groups, String(group)), {});
  Object.assign(job, known);
  world.jobs.push(job);
  world.jobChanged(job);
  return { job: jobView(world, job), userErrors: [] };
}
