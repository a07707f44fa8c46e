import { type RoutingForm, routingForm } from '@/features/routing/routing';
import type {
  Backoff,
  CalendarRule,
  ConcurrencyPolicy,
  Delivery,
  DependencyCondition,
  DependencyMode,
  DependencyWindow,
  MisfirePolicy,
  Priority,
} from '@/graphql/generated/enums';
import type { EditableJobFragment } from '@/graphql/generated/graphql';
import { formatGoDuration } from '@/time/duration';
import { toLocal } from './local-time';

/** Kinds of trigger that the editor can make. */
export const editableKinds = ['CRON', 'FIXED_RATE', 'FIXED_DELAY', 'DEPENDENCY', 'MANUAL'] as const;
export type EditableKind = (typeof editableKinds)[number];

/** A job that is waited for; its names are for showing. */
export interface UpstreamJob {
  id: string;
  name: string;
  app: string;
  on: DependencyCondition;
}

/** What stands in the fields: texts as typed, so that nothing is lost or rounded while typing. */
export interface JobForm extends RoutingForm {
  group: string;
  name: string;
  handler: string;
  description: string;
  labels: string;
  parameters: string;
  enabled: boolean;
  kind: EditableKind;
  expression: string;
  zone: string;
  /** Local times in `zone`, as datetime-local fields hold them; empty for none. */
  startAt: string;
  endAt: string;
  jitter: string;
  /** Name of a calendar of the job's app; empty for none. */
  calendar: string;
  onRestDay: CalendarRule;
  every: string;
  delay: string;
  upstream: readonly UpstreamJob[];
  mode: DependencyMode;
  window: DependencyWindow;
  priority: Priority;
  timeout: string;
  concurrency: ConcurrencyPolicy;
  maxRunning: string;
  delivery: Delivery;
  maxAttempts: string;
  backoff: Backoff;
  retryDelay: string;
  retryMaxDelay: string;
  /** In percent. */
  retryJitter: string;
  misfirePolicy: MisfirePolicy;
  grace: string;
  misfireLimit: string;
}

/** The server's defaults, shown as they are. */
export function emptyForm(zone: string): JobForm {
  return {
    group: '',
    name: '',
    handler: '',
    description: '',
    labels: '',
    parameters: '',
    enabled: true,
    kind: 'CRON',
    expression: '',
    zone,
    startAt: '',
    endAt: '',
    jitter: '',
    calendar: '',
    onRestDay: 'SKIP',
    every: '',
    delay: '',
    upstream: [],
    mode: 'ALL',
    window: 'RUN',
    priority: 'NORMAL',
    timeout: '1h',
    concurrency: 'ALLOW',
    maxRunning: '',
    delivery: 'AT_LEAST_ONCE',
    ...routingForm(null),
    maxAttempts: '1',
    backoff: 'FIXED',
    retryDelay: '30s',
    retryMaxDelay: '',
    retryJitter: '',
    misfirePolicy: 'FIRE_ONCE',
    grace: '1m',
    misfireLimit: '100',
  };
}

/** The form of an existing job; for a copy, with another name. */
export function formOf(job: EditableJobFragment, name = job.name): JobForm {
  const { trigger, retry, misfire } = job;
  const zone = trigger.zone ?? 'UTC';
  return {
    group: job.group.id,
    name,
    handler: job.handler,
    description: job.description,
    labels: labelLines(job.labels),
    parameters: job.parameters == null ? '' : JSON.stringify(job.parameters, null, 2),
    enabled: job.enabled,
    kind: editableKinds.find((kind) => kind === trigger.kind) ?? 'MANUAL',
    expression: trigger.expression ?? '',
    zone,
    startAt: toLocal(trigger.startAt, zone),
    endAt: toLocal(trigger.endAt, zone),
    jitter: formatGoDuration(trigger.jitter),
    calendar: trigger.calendar?.name ?? '',
    onRestDay: trigger.onRestDay ?? 'SKIP',
    every: formatGoDuration(trigger.every),
    delay: formatGoDuration(trigger.delay),
    upstream: (trigger.upstream ?? []).map(({ job: up, on }) => ({
      id: up.id,
      name: up.name,
      app: up.app.name,
      on,
    })),
    mode: trigger.mode ?? 'ALL',
    window: trigger.window ?? 'RUN',
    priority: job.priority,
    timeout: formatGoDuration(job.timeout),
    concurrency: job.concurrency,
    maxRunning: job.maxRunning === null ? '' : String(job.maxRunning),
    delivery: job.delivery,
    ...routingForm(job.routing),
    maxAttempts: String(retry.maxAttempts),
    backoff: retry.backoff,
    retryDelay: formatGoDuration(retry.delay),
    retryMaxDelay: formatGoDuration(retry.maxDelay),
    retryJitter: retry.jitter > 0 ? String(Math.round(retry.jitter * 100)) : '',
    misfirePolicy: misfire.policy,
    grace: formatGoDuration(misfire.grace),
    misfireLimit: String(misfire.limit),
  };
}

function labelLines(labels: unknown): string {
  if (typeof labels !== 'object' || labels === null) return '';
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join('\n');
}
