import { everything, type ScopeForm, scopeInput } from '@/features/alerts/scope';
import { weekdaysAt } from '@/features/calendars/week';
import type { SilenceKind } from '@/graphql/generated/enums';
import type {
  IncidentRowFragment,
  SilenceInput,
  SilenceRowFragment,
} from '@/graphql/generated/graphql';

/** How long a silence from now can hold, in hours; others are typed. */
export const lengths = [1, 4, 12, 24, 72] as const;

export interface SilenceForm {
  kind: SilenceKind;
  scope: ScopeForm;
  rule: string;
  reason: string;
  how: 'once' | 'recurring';
  startsAt: string | null;
  endsAt: string | null;
  days: number[];
  from: string;
  to: string;
  zone: string;
  remindBefore: string;
}

const minute = 60_000;

/** Holds so many hours from the minute that has begun. */
export function fromNow(hours: number, now: Date): { startsAt: string; endsAt: string } {
  const start = Math.floor(now.getTime() / minute) * minute;
  return {
    startsAt: new Date(start).toISOString(),
    endsAt: new Date(start + hours * 60 * minute).toISOString(),
  };
}

/** Which of the lengths a form has; null for one of its own. */
export function lengthOf({ startsAt, endsAt }: SilenceForm): (typeof lengths)[number] | null {
  if (startsAt === null || endsAt === null) return null;
  const hours = (Date.parse(endsAt) - Date.parse(startsAt)) / (60 * minute);
  return lengths.find((length) => length === hours) ?? null;
}

export function newSilence(now: Date, zone: string, scope: ScopeForm, rule: string): SilenceForm {
  return {
    kind: 'SILENCE',
    scope,
    rule,
    reason: '',
    how: 'once',
    ...fromNow(lengths[1], now),
    days: [],
    from: '02:00',
    to: '04:00',
    zone,
    remindBefore: '',
  };
}

export function silenceInput(form: SilenceForm): SilenceInput {
  const often = form.how === 'recurring';
  return {
    kind: form.kind,
    scope: scopeInput(form.scope),
    rule: form.rule || null,
    reason: form.reason.trim(),
    startsAt: form.startsAt,
    endsAt: form.endsAt,
    recurrence: often
      ? { days: weekdaysAt(form.days), from: form.from, to: form.to, zone: form.zone }
      : null,
    remindBefore: form.remindBefore.trim() || null,
  };
}

/** The narrowest scope that an incident lies in. */
export function scopeOfIncident(incident: IncidentRowFragment): ScopeForm {
  const { job, group } = incident;
  if (job) {
    return {
      ...everything,
      kind: 'JOB',
      job: { id: job.id, label: `${job.app.name} / ${job.name}` },
    };
  }
  return group ? { ...everything, kind: 'GROUP', group: group.id } : everything;
}

/** active: it holds now. coming: it will. past: it never will again. */
export type SilenceTime = 'active' | 'coming' | 'past';

export function timeOf(silence: SilenceRowFragment, now: Date): SilenceTime {
  if (silence.active) return 'active';
  const ended = silence.endsAt !== null && Date.parse(silence.endsAt) <= now.getTime();
  return ended ? 'past' : 'coming';
}
