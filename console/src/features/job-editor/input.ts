import { parseJson } from '@/components/ui/parse-json';
import { parseLabels, routingInput } from '@/features/routing/routing';
import type {
  CreateJobInput,
  DependencyTriggerInput,
  EditableJobFragment,
  TriggerInput,
  UpdateJobInput,
} from '@/graphql/generated/graphql';
import { parseDuration } from '@/time/duration';
import { formOf, type JobForm } from './form';
import { toInstant } from './local-time';

/** Fields whose text cannot be sent as it is; the reason is a key of the messages. */
export type Problems = Partial<
  Record<keyof JobForm, 'required' | 'upstream' | 'duration' | 'number' | 'labels' | 'json'>
>;

/** What the person can mend before the server is asked. Ranges and rules are the server's matter. */
export function problems(form: JobForm): Problems {
  const found: Problems = {};
  const required: (keyof JobForm)[] = ['group', 'name', 'handler'];
  if (form.kind === 'CRON') required.push('expression');
  if (form.kind === 'FIXED_RATE') required.push('every');
  if (form.kind === 'FIXED_DELAY') required.push('delay');
  for (const key of required) if (String(form[key]).trim() === '') found[key] = 'required';
  if (form.kind === 'DEPENDENCY' && form.upstream.length === 0) found.upstream = 'upstream';

  const durations: (keyof JobForm)[] = ['timeout', 'retryDelay', 'retryMaxDelay', 'grace'];
  if (form.kind === 'CRON') durations.push('jitter');
  if (form.kind === 'FIXED_RATE') durations.push('every');
  if (form.kind === 'FIXED_DELAY') durations.push('delay');
  for (const key of durations) {
    const text = String(form[key]).trim();
    if (text !== '' && parseDuration(text) === null) found[key] = 'duration';
  }

  const numbers: (keyof JobForm)[] = ['maxRunning', 'maxAttempts', 'retryJitter', 'misfireLimit'];
  for (const key of numbers) {
    if (!/^\d*$/.test(String(form[key]).trim())) found[key] = 'number';
  }
  if (form.routing === 'PINNED') {
    if (form.routingNode.trim() === '') found.routingNode = 'required';
    if (form.routingFallback !== 'WAIT' && bad(form.routingAfter)) found.routingAfter = 'duration';
  }
  if (form.routing === 'LABELS') {
    if (form.routingLabels.trim() === '') found.routingLabels = 'required';
    else if (parseLabels(form.routingLabels) === null) found.routingLabels = 'labels';
  }
  if (parseLabels(form.labels) === null) found.labels = 'labels';
  if (!parseJson(form.parameters).ok) found.parameters = 'json';
  return found;
}

/** The trigger that the form describes; null while its main field is empty or not a duration. */
export function triggerInput(form: JobForm): TriggerInput | null {
  const startAt = toInstant(form.startAt, form.zone);
  switch (form.kind) {
    case 'CRON': {
      if (form.expression.trim() === '' || bad(form.jitter)) return null;
      const endAt = toInstant(form.endAt, form.zone);
      return {
        cron: {
          expression: form.expression,
          zone: form.zone,
          ...(startAt && { startAt }),
          ...(endAt && { endAt }),
          ...(form.jitter.trim() && { jitter: form.jitter.trim() }),
          ...(form.calendar && { calendar: form.calendar, onRestDay: form.onRestDay }),
        },
      };
    }
    case 'FIXED_RATE':
      if (form.every.trim() === '' || bad(form.every)) return null;
      return { fixedRate: { every: form.every.trim(), ...(startAt && { startAt }) } };
    case 'FIXED_DELAY':
      if (form.delay.trim() === '' || bad(form.delay)) return null;
      return { fixedDelay: { delay: form.delay.trim() } };
    case 'DEPENDENCY':
      return form.upstream.length === 0 ? null : { dependency: dependencyInput(form) };
    case 'MANUAL':
      return { manual: true };
  }
}

function dependencyInput({ upstream, mode, window, zone }: JobForm): DependencyTriggerInput {
  return {
    upstream: upstream.map(({ id, on }) => ({ job: id, on })),
    mode,
    window,
    // One run is one run on every clock.
    ...(window !== 'RUN' && { zone }),
  };
}

function bad(duration: string): boolean {
  return duration.trim() !== '' && parseDuration(duration) === null;
}

/** The whole input of a new job. Call it on a form without problems. */
export function createInput(form: JobForm): CreateJobInput {
  const parameters = parseJson(form.parameters);
  const labels = parseLabels(form.labels) ?? {};
  return {
    group: form.group,
    name: form.name.trim(),
    handler: form.handler.trim(),
    description: form.description,
    labels: Object.keys(labels).length > 0 ? labels : null,
    parameters: parameters.ok ? (parameters.value ?? null) : null,
    enabled: form.enabled,
    trigger: triggerInput(form) ?? { manual: true },
    priority: form.priority,
    timeout: orNull(form.timeout),
    retry: {
      maxAttempts: Number(form.maxAttempts || '1'),
      backoff: form.backoff,
      delay: form.retryDelay.trim() || '0s',
      maxDelay: orNull(form.retryMaxDelay),
      jitter: form.retryJitter ? Number(form.retryJitter) / 100 : null,
    },
    concurrency: form.concurrency,
    maxRunning: form.maxRunning ? Number(form.maxRunning) : null,
    misfire: {
      policy: form.misfirePolicy,
      grace: orNull(form.grace),
      limit: form.misfireLimit ? Number(form.misfireLimit) : null,
    },
    delivery: form.delivery,
    routing: routingInput(form),
  };
}

/**
 * The changes of a form against the job it was made from: only what differs is sent, so that
 * two people who edit different fields do not undo each other, and an untouched trigger is not set anew.
 */
export function updateInput(job: EditableJobFragment, form: JobForm): UpdateJobInput {
  const before = createInput(formOf(job));
  const after = createInput(form);
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof CreateJobInput]),
  );
  return { id: job.id, version: job.version, ...Object.fromEntries(changed) };
}

function orNull(text: string): string | null {
  return text.trim() || null;
}
