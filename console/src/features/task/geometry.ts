import type { AttemptState } from '@/graphql/generated/enums';

/** One attempt as the picture needs it. */
export interface AttemptTimes {
  number: number;
  state: AttemptState;
  availableAt: string;
  dispatchedAt: string | null;
  startedAt: string | null;
  finishedAt: string | null;
}

export const spanKinds = ['backoff', 'waiting', 'starting', 'running'] as const;
export type SpanKind = (typeof spanKinds)[number];

/** A part of an attempt, in percent of the picture's width. */
export interface Span {
  kind: SpanKind;
  left: number;
  width: number;
  /** Its length in milliseconds. */
  ms: number;
}

export interface Lane {
  number: number;
  state: AttemptState;
  spans: Span[];
}

export interface Tick {
  /** In percent. */
  at: number;
  /** Milliseconds since the picture's first instant. */
  ms: number;
}

export interface Picture {
  /** First and last instant, in milliseconds since the epoch. */
  from: number;
  to: number;
  lanes: Lane[];
  ticks: Tick[];
  /** Where the time limit lies, in percent; null when it is outside. */
  deadline: number | null;
  /** Where now lies while the task goes on, in percent. */
  now: number | null;
}

/**
 * Lays attempts out on one scale. Pure; `now` counts only while something is open. A time
 * limit to come is taken into the scale unless that would squeeze what has happened into
 * less than a third.
 */
export function layOut(
  attempts: readonly AttemptTimes[],
  deadlineAt: string | null,
  now: number,
): Picture {
  const open = attempts.some((attempt) => !attempt.finishedAt);
  const starts = attempts.map((attempt) => Date.parse(attempt.availableAt));
  const ends = attempts.map((attempt) => end(attempt, now));
  const from = Math.min(...starts, ...(attempts.length === 0 ? [now] : []));
  // A millisecond at least: an instant still needs a scale.
  let to = Math.max(from + 1, ...ends);
  const deadline = deadlineAt === null ? null : Date.parse(deadlineAt);
  if (open && deadline !== null && deadline - from <= 3 * (to - from)) to = Math.max(to, deadline);
  const at = (ms: number) => (100 * (Math.min(Math.max(ms, from), to) - from)) / (to - from);
  return {
    from,
    to,
    lanes: attempts.map((attempt, i) => ({
      number: attempt.number,
      state: attempt.state,
      spans: spansOf(attempt, attempts[i - 1]?.finishedAt ?? null, now, at),
    })),
    ticks: ticksOf(to - from),
    deadline: deadline !== null && deadline >= from && deadline <= to ? at(deadline) : null,
    now: open ? at(now) : null,
  };
}

/** The last instant of an attempt; one that waits for a later time has not begun. */
function end(attempt: AttemptTimes, now: number): number {
  if (attempt.finishedAt) return Date.parse(attempt.finishedAt);
  return Math.max(now, Date.parse(attempt.availableAt));
}

function spansOf(
  attempt: AttemptTimes,
  previousEnd: string | null,
  now: number,
  at: (ms: number) => number,
): Span[] {
  const last = end(attempt, now);
  const marks: [SpanKind, string | null][] = [
    // From the end of the attempt before until this one may begin.
    ['backoff', previousEnd],
    ['waiting', attempt.availableAt],
    ['starting', attempt.dispatchedAt],
    ['running', attempt.startedAt],
  ];
  const begun = marks.filter((mark): mark is [SpanKind, string] => mark[1] !== null);
  return begun.flatMap(([kind, start], i) => {
    const begin = Date.parse(start);
    const next = begun[i + 1];
    const finish = Math.max(begin, next ? Date.parse(next[1]) : last);
    if (finish === begin && kind !== 'running') return [];
    return [{ kind, left: at(begin), width: at(finish) - at(begin), ms: finish - begin }];
  });
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** Steps of the scale that people read at a glance, in milliseconds. */
const steps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * second),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * minute),
  ...[1, 2, 3, 6, 12].map((n) => n * hour),
  ...[1, 2, 5, 10, 20, 50, 100, 200].map((n) => n * day),
];
const mostTicks = 6;

/** Marks of a scale of so many milliseconds, at round distances from its beginning; it has one at 0. */
function ticksOf(length: number): Tick[] {
  const step = steps.find((each) => length / each <= mostTicks) ?? length;
  const count = Math.floor(length / step);
  return Array.from({ length: count + 1 }, (_, i) => ({
    at: (100 * i * step) / length,
    ms: i * step,
  }));
}
