/** Fields of a definition that have a name of their own here, by their paths on the server. */
const names = {
  name: 'name',
  group: 'group',
  handler: 'handler',
  description: 'description',
  labels: 'labels',
  parameters: 'parameters',
  enabled: 'enabled',
  deleted: 'deleted',
  priority: 'priority',
  timeoutMs: 'timeout',
  concurrency: 'concurrency',
  maxRunning: 'maxRunning',
  delivery: 'delivery',
  routing: 'routing',
  routingRule: 'routingRule',
  'trigger.kind': 'kind',
  'trigger.expression': 'expression',
  'trigger.zone': 'zone',
  'trigger.startAt': 'startAt',
  'trigger.endAt': 'endAt',
  'trigger.jitterMs': 'jitter',
  'trigger.everyMs': 'every',
  'trigger.calendar': 'calendar',
  'trigger.onRestDay': 'onRestDay',
  'trigger.mode': 'mode',
  'trigger.window': 'window',
  'trigger.upstream': 'upstream',
  'retry.maxAttempts': 'maxAttempts',
  'retry.backoff': 'backoff',
  'retry.delayMs': 'retryDelay',
  'retry.maxDelayMs': 'retryMaxDelay',
  'retry.jitter': 'retryJitter',
  'misfire.policy': 'misfire',
  'misfire.graceMs': 'grace',
  'misfire.limit': 'misfireLimit',
} as const;

export type FieldKey = (typeof names)[keyof typeof names];

/** The key of a field's name; null for one that a newer server has and this page does not know. */
export function fieldKey(field: string): FieldKey | null {
  return names[field as keyof typeof names] ?? null;
}

/** Fields in the order in which people look at them; unknown ones last. */
export function inOrder<T extends { field: string }>(changes: readonly T[]): T[] {
  const order = Object.keys(names);
  const place = (field: string) => (order.indexOf(field) + order.length + 1) % (order.length + 1);
  return changes.toSorted((a, b) => place(a.field) - place(b.field));
}

/** A value as JSON; the text itself when it is none. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
