import { weekdays } from '../../src/features/job-editor/cron/days.ts';
import { readExpression, type Structure } from '../../src/features/job-editor/cron/structure.ts';
import { addDays, dateIn, startOf, weekdayOf } from '../../src/time/civil.ts';
import { parseDuration } from '../../src/time/duration.ts';
import { calendarOf } from './calendars.ts';
import { applyCalendar } from './excluded.ts';
import type { World } from './world.ts';

interface PreviewInput {
  trigger: {
    cron?: { expression: string; zone?: string; calendar?: string; onRestDay?: string };
    fixedRate?: { every: string };
    fixedDelay?: { delay: string };
    manual?: boolean;
  };
  app?: string;
  count?: number;
  locale?: string;
}

/** A made-up preview: what the editor's structures mean, roughly; the console never computes fires itself. */
export function preview(world: World, input: PreviewInput) {
  const { cron, fixedRate } = input.trigger;
  const count = input.count ?? 10;
  const answer = {
    fires: [] as string[],
    description: input.locale === 'zh-CN' ? '每 5 分钟' : 'Every 5 minutes',
    dialect: null as string | null,
    warnings: [] as string[],
    error: null as object | null,
    clockChanges: [] as object[],
    restDays: [] as object[],
    excluded: [] as object[],
  };
  if (fixedRate) {
    return { ...answer, fires: grid(world.now(), parseDuration(fixedRate.every) ?? 0, count) };
  }
  if (!cron) return answer;
  const error = refusal(cron.expression);
  if (error) return { ...answer, description: '', error };
  const zone = cron.zone ?? 'UTC';
  // A calendar leaves some of them out.
  const planned = cronFires(world.now(), readExpression(cron.expression), zone, 2 * count + 20);
  const calendar = calendarOf(world, input.app ?? '', cron.calendar);
  if (cron.calendar && !calendar) {
    const message = `The app has no calendar "${cron.calendar}". Make it, or choose another.`;
    const field = ['input', 'trigger', 'cron', 'calendar'];
    return { ...answer, error: { code: 'NOT_FOUND', field, message } };
  }
  // Made up, so that there is one to look at in every season.
  const soon = `${addDays(dateIn(world.now(), 'UTC'), 4)}T01:00:00Z`;
  return {
    ...answer,
    ...(calendar
      ? applyCalendar(calendar, cron.onRestDay ?? 'SKIP', planned, zone, count)
      : { fires: planned.slice(0, count) }),
    clockChanges:
      zone === 'Europe/Berlin' ? [{ at: soon, offsetBefore: 3_600, offsetAfter: 7_200 }] : [],
    dialect: cron.expression.trim().split(/\s+/).length > 5 ? 'quartz' : 'unix',
    warnings:
      cron.zone === 'Europe/Berlin'
        ? ['02:30 does not exist on 2027-03-28: it fires at 03:00.']
        : [],
  };
}

function refusal(expression: string): object | null {
  const fields = expression.trim().split(/\s+/);
  const wrong = fields.findIndex((f) => /(^|\D)(6[1-9]|[7-9]\d|\d{3})(\D|$)/.test(f));
  if (fields.length >= 5 && wrong < 0) return null;
  return {
    code: 'INVALID',
    field: ['input', 'trigger', 'cron', 'expression'],
    message:
      wrong >= 0
        ? `minute field, position ${expression.indexOf(fields[wrong] ?? '') + 1}: ${fields[wrong]} is out of range; use 0 to 59`
        : `position ${expression.length + 1}: the expression has ${fields.length} field(s); write five fields (minute hour day month weekday), six (second first) or seven (second first, year last)`,
  };
}

function grid(now: Date, step: number, count: number): string[] {
  const first = Math.ceil(now.getTime() / step) * step;
  return Array.from({ length: count }, (_, i) => new Date(first + i * step).toISOString());
}

function cronFires(now: Date, s: Structure, zone: string, count: number): string[] {
  if (s.kind === 'FREE') return grid(now, 300_000, count);
  if (s.kind === 'MINUTES') return grid(now, s.minutes * 60_000, count);
  if (s.kind === 'HOURS') return grid(now, s.hours * 3_600_000, count);
  const [hour = 0, minute = 0] = s.time.split(':').map(Number);
  const found: string[] = [];
  for (let date = dateIn(now, zone), i = 0; found.length < count && i < 20_000; i++) {
    const at = startOf(date, zone) + (hour * 60 + minute) * 60_000;
    if (at > now.getTime() && isDue(s, date)) found.push(new Date(at).toISOString());
    date = addDays(date, 1);
  }
  return found;
}

function isDue(s: Structure, date: string): boolean {
  const isLast = (span: number) => addDays(date, span).slice(5, 7) !== date.slice(5, 7);
  const day = Number(date.slice(8));
  switch (s.kind) {
    case 'WEEKDAYS':
      return s.days.some((d) => weekdays.indexOf(d) === weekdayOf(date));
    case 'MONTH_DAY':
      return day === s.day;
    case 'MONTH_LAST_DAY':
    case 'MONTH_LAST_WORKDAY':
      return isLast(1);
    case 'MONTH_NTH':
      return (
        weekdays.indexOf(s.weekday) === weekdayOf(date) &&
        (s.nth === 'L' ? isLast(7) : Math.ceil(day / 7) === Number(s.nth))
      );
    default:
      return true;
  }
}
