import type { AlertSeverity } from '@/graphql/generated/enums';
import { clocks, type RuleForm } from './form';
import { minuteOf, severityAt } from './severity';

export interface Receivers {
  channels: ReadonlyMap<string, string>;
  people: ReadonlyMap<string, string>;
}

/** Who is told by one route, and when. */
export interface Told {
  key: number;
  /** Names of channels; empty means all that are enabled. */
  channels: string[];
  people: string[];
  /** The digest in which it comes, "12:00"; null: at once. */
  digest: string | null;
}

const named = (ids: readonly string[], names: ReadonlyMap<string, string>) =>
  ids.map((id) => names.get(id) ?? id);

/** What happens when something breaks at a minute of a day: how bad it is and who hears of it. */
export function whoIsTold(
  form: RuleForm,
  receivers: Receivers,
  at: { day: number; minute: number },
): { severity: AlertSeverity; told: Told[] } {
  const severity = severityAt(form.windows, form.severity, at.day, at.minute);
  const told = form.routes
    .filter((route) => route.severities.includes(severity))
    .map((route) => ({
      key: route.key,
      channels: named(route.channels, receivers.channels),
      people: named(route.people, receivers.people),
      digest: nextDigest(clocks(route.digestAt), at.minute),
    }));
  return { severity, told };
}

/** The first digest after a minute of the day, on the next day if need be; null without digests. */
export function nextDigest(digests: readonly string[], minute: number): string | null {
  const sorted = digests
    .filter((clock) => minuteOf(clock) !== null)
    .sort((a, b) => (minuteOf(a) ?? 0) - (minuteOf(b) ?? 0));
  return sorted.find((clock) => (minuteOf(clock) ?? 0) > minute) ?? sorted[0] ?? null;
}
