import { type Dialect, readDay, readDays, type Weekday, writeDays } from './days.ts';

/** The shapes of expression that the builder has fields for; FREE is everything else. */
export const structureKinds = [
  'MINUTES',
  'HOURS',
  'DAILY',
  'WEEKDAYS',
  'MONTH_DAY',
  'MONTH_LAST_DAY',
  'MONTH_LAST_WORKDAY',
  'MONTH_NTH',
  'FREE',
] as const;
export type StructureKind = (typeof structureKinds)[number];

/** Divisors only: any other step starts anew each hour or day and so is no even interval. */
export const minuteSteps = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30] as const;
export const hourSteps = [1, 2, 3, 4, 6, 8, 12] as const;
/** Which weekday of the month; L is the last one. */
export const nths = ['1', '2', '3', '4', '5', 'L'] as const;
export type Nth = (typeof nths)[number];

/** A schedule as the builder's fields hold it. Fields that its kind does not use keep their values. */
export interface Structure {
  kind: StructureKind;
  /** Step of MINUTES. */
  minutes: number;
  /** Step of HOURS. */
  hours: number;
  /** Minute of the hour, for HOURS: 0 to 59. */
  minute: number;
  /** HH:MM on the job's clock, for everything by the day. */
  time: string;
  days: readonly Weekday[];
  /** Day of the month: 1 to 31. */
  day: number;
  nth: Nth;
  weekday: Weekday;
}

export const blankStructure: Structure = {
  kind: 'DAILY',
  minutes: 5,
  hours: 1,
  minute: 0,
  time: '09:00',
  days: ['MON', 'TUE', 'WED', 'THU', 'FRI'],
  day: 1,
  nth: '1',
  weekday: 'MON',
};

/** The expression's dialect by its number of fields; macros are unix. */
export function dialectOf(expression: string): Dialect {
  return fieldsOf(expression).length > 5 ? 'quartz' : 'unix';
}

function fieldsOf(expression: string): string[] {
  return expression.trim().split(/[ \t]+/);
}

/** Writes a structure as an expression of the dialect; null for FREE and for unfinished fields. */
export function writeExpression(s: Structure, dialect: Dialect): string | null {
  const fields = fiveFields(s);
  if (fields === null) return null;
  if (dialect === 'unix') return fields.join(' ');
  const [minute, hour, day = '*', month, weekday] = fields;
  // Quartz wants exactly one of the two day fields to be "?".
  return `0 ${minute} ${hour} ${weekday === '*' ? day : '?'} ${month} ${weekday === '*' ? '?' : weekday}`;
}

function fiveFields(s: Structure): string[] | null {
  if (s.kind === 'MINUTES') {
    return [s.minutes === 1 ? '*' : `*/${s.minutes}`, '*', '*', '*', '*'];
  }
  if (s.kind === 'HOURS') {
    if (!within(s.minute, 0, 59)) return null;
    return [String(s.minute), s.hours === 1 ? '*' : `*/${s.hours}`, '*', '*', '*'];
  }
  const clock = /^(\d{2}):(\d{2})/.exec(s.time);
  if (!clock) return null;
  const at = [String(Number(clock[2])), String(Number(clock[1]))];
  switch (s.kind) {
    case 'DAILY':
      return [...at, '*', '*', '*'];
    case 'WEEKDAYS':
      return s.days.length === 0 ? null : [...at, '*', '*', writeDays(s.days)];
    case 'MONTH_DAY':
      return within(s.day, 1, 31) ? [...at, String(s.day), '*', '*'] : null;
    case 'MONTH_LAST_DAY':
      return [...at, 'L', '*', '*'];
    case 'MONTH_LAST_WORKDAY':
      return [...at, 'LW', '*', '*'];
    case 'MONTH_NTH':
      return [...at, '*', '*', s.nth === 'L' ? `${s.weekday}L` : `${s.weekday}#${s.nth}`];
    default:
      return null;
  }
}

function within(value: number, low: number, high: number): boolean {
  return Number.isInteger(value) && value >= low && value <= high;
}

const macros: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * SUN',
  '@monthly': '0 0 1 * *',
};

/**
 * Reads an expression as a structure; FREE when it fits none. What the structure has no field
 * for is taken from `old`, so that changing the kind to and fro keeps what was typed.
 */
export function readExpression(expression: string, old: Structure = blankStructure): Structure {
  const fields = fieldsOf(macros[expression.trim()] ?? expression);
  const dialect: Dialect = fields.length === 6 ? 'quartz' : 'unix';
  if (dialect === 'quartz' && fields.shift() !== '0') return { ...old, kind: 'FREE' };
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  if (fields.length !== 5 || month !== '*') return { ...old, kind: 'FREE' };
  return { ...old, kind: 'FREE', ...read(minute, hour, day, weekday, dialect) };
}

function read(
  minute: string,
  hour: string,
  day: string,
  weekday: string,
  dialect: Dialect,
): Partial<Structure> {
  const open = (text: string) => text === '*' || (text === '?' && dialect === 'quartz');
  if (open(day) && open(weekday) && (hour === '*' || hour.includes('/'))) {
    return readInterval(minute, hour);
  }
  const [m, h] = [number(minute, 0, 59), number(hour, 0, 23)];
  if (m === null || h === null) return {};
  const time = `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`;
  if (open(weekday)) return readMonthDay(day, open(day), time);
  return open(day) ? readWeekday(weekday, dialect, time) : {};
}

function readInterval(minute: string, hour: string): Partial<Structure> {
  const hours = hour === '*' ? 1 : step(hour, hourSteps);
  const fixed = number(minute, 0, 59);
  if (hours !== null && fixed !== null) return { kind: 'HOURS', hours, minute: fixed };
  const minutes = minute === '*' ? 1 : step(minute, minuteSteps);
  return hour === '*' && minutes !== null ? { kind: 'MINUTES', minutes } : {};
}

function readMonthDay(text: string, open: boolean, time: string): Partial<Structure> {
  if (open) return { kind: 'DAILY', time };
  if (text.toUpperCase() === 'L') return { kind: 'MONTH_LAST_DAY', time };
  if (text.toUpperCase() === 'LW') return { kind: 'MONTH_LAST_WORKDAY', time };
  const day = number(text, 1, 31);
  return day === null ? {} : { kind: 'MONTH_DAY', day, time };
}

function readWeekday(text: string, dialect: Dialect, time: string): Partial<Structure> {
  const counted = /^(\w+)#([1-5])$/.exec(text) ?? /^(\d|[a-z]{3})(L)$/i.exec(text);
  if (counted) {
    const weekday = readDay(counted[1] ?? '', dialect);
    const nth = nths.find((n) => n === counted[2]?.toUpperCase());
    return weekday && nth ? { kind: 'MONTH_NTH', weekday, nth, time } : {};
  }
  const days = readDays(text, dialect);
  return days ? { kind: 'WEEKDAYS', days, time } : {};
}

function number(text: string, low: number, high: number): number | null {
  return /^\d{1,2}$/.test(text) && within(Number(text), low, high) ? Number(text) : null;
}

function step(text: string, allowed: readonly number[]): number | null {
  const match = /^(?:\*|0)\/(\d{1,2})$/.exec(text);
  return match && allowed.includes(Number(match[1])) ? Number(match[1]) : null;
}
