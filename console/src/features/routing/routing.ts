import type { PinFallback, RoutingStrategy } from '@/graphql/generated/enums';
import type { RoutingFieldsFragment, RoutingInput } from '@/graphql/generated/graphql';
import { formatGoDuration } from '@/time/duration';

/** A routing as the fields hold it: texts as typed. Fields of other strategies stay while one is tried. */
export interface RoutingForm {
  /** Empty for the node group's own; only where there is one above. */
  routing: RoutingStrategy | '';
  routingKey: string;
  routingNode: string;
  routingFallback: PinFallback;
  routingAfter: string;
  /** Lines key=value. */
  routingLabels: string;
}

/** A node as far as routing looks at it. */
export interface Candidate {
  name: string;
  online: boolean;
  labels: unknown;
}

export function routingForm(routing: RoutingFieldsFragment | null): RoutingForm {
  return {
    routing: routing?.strategy ?? '',
    routingKey: routing?.key ?? '',
    routingNode: routing?.node ?? '',
    routingFallback: routing?.fallback ?? 'WAIT',
    routingAfter: formatGoDuration(routing?.fallbackAfter ?? null),
    routingLabels: Object.entries(routing?.labels ?? {})
      .map(([key, value]) => `${key}=${String(value)}`)
      .join('\n'),
  };
}

/** What the server is told: the strategy and its own fields; null for the group's routing. */
export function routingInput(form: RoutingForm): RoutingInput | null {
  const { routing: strategy } = form;
  switch (strategy) {
    case '':
      return null;
    case 'CONSISTENT_HASH': {
      const key = form.routingKey.trim();
      return { strategy, ...(key && { key }) };
    }
    case 'PINNED': {
      const after = form.routingFallback === 'WAIT' ? '' : form.routingAfter.trim();
      return {
        strategy,
        node: form.routingNode.trim(),
        fallback: form.routingFallback,
        ...(after && { fallbackAfter: after }),
      };
    }
    case 'LABELS':
      return { strategy, labels: parseLabels(form.routingLabels) ?? {} };
    default:
      return { strategy };
  }
}

/** An object of the lines key=value; null when a line is none. */
export function parseLabels(text: string): Record<string, string> | null {
  const labels: Record<string, string> = {};
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const at = line.indexOf('=');
    if (at < 1) return null;
    labels[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return labels;
}

/** The nodes that have all of the labels; null while none is asked for. Pure. */
export function matching(nodes: readonly Candidate[], text: string): Candidate[] | null {
  const wanted = Object.entries(parseLabels(text) ?? {});
  if (wanted.length === 0) return null;
  return nodes.filter(({ labels }) =>
    wanted.every(([key, value]) => (labels as Record<string, unknown> | null)?.[key] === value),
  );
}
