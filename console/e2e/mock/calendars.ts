import { appView, jobView, need } from './queries.ts';
import type { AppRecord, JobRecord } from './records.ts';
import { refusal } from './refusal.ts';
import type { World } from './world.ts';

export interface DayRecord {
  date: string;
  kind: string;
  name: string;
}

export interface CalendarRecord {
  id: string;
  appId: string;
  name: string;
  description: string;
  restDays: string[];
  days: DayRecord[];
  quietWindows: { days: string[]; from: string; to: string; rule: string }[];
  version: number;
  createdAt: string;
  updatedAt: string;
}

let counter = 0;

export function makeCalendar(app: AppRecord, over: Partial<CalendarRecord> = {}): CalendarRecord {
  return {
    id: `cal${String(++counter).padStart(6, '0')}`,
    appId: app.id,
    name: 'china',
    description: 'Public holidays and make-up working days.',
    restDays: ['SATURDAY', 'SUNDAY'],
    days: [],
    quietWindows: [],
    version: 1,
    createdAt: '2026-01-10T09:00:00Z',
    updatedAt: '2026-10-02T08:30:00Z',
    ...over,
  };
}

export function calendarView(world: World, calendar: CalendarRecord): object {
  const jobs = world.jobs.filter((job) => !job.deletedAt && usesCalendar(world, job, calendar));
  return {
    ...calendar,
    app: () => appView(world, need(world.apps, calendar.appId)),
    days: ({ year }: { year?: number | null }) =>
      calendar.days.filter((day) => !year || day.date.startsWith(`${year}-`)),
    jobCount: jobs.length,
    jobs: ({ first }: { first: number }) => jobs.slice(0, first).map((job) => jobView(world, job)),
  };
}

function usesCalendar(world: World, job: JobRecord, calendar: CalendarRecord): boolean {
  const appId = need(world.groups, job.groupId).appId;
  return job.trigger.calendar === calendar.name && appId === calendar.appId;
}

/** The calendar that a job's trigger names; null for none. */
export function calendarOf(world: World, appId: string, name: string | null | undefined) {
  return world.calendars.find((c) => c.appId === appId && c.name === name) ?? null;
}

/** The root fields of Query about calendars. */
export function calendarQueries(world: World) {
  return {
    calendars: ({ app }: { app?: string | null }) =>
      world.calendars
        .filter((c) => !app || c.appId === app)
        .sort((a, b) => a.name.localeCompare(b.name))
        .map((c) => calendarView(world, c)),
    calendar: ({ id }: { id: string }) => {
      const found = world.calendars.find((c) => c.id === id);
      return found ? calendarView(world, found) : null;
    },
  };
}

type Fields = Partial<CalendarRecord>;

/** The root fields of Mutation about calendars. */
export function calendarMutations(world: World) {
  const refuse = (code: string, message: string, field: string[]) => ({
    calendar: null,
    userErrors: [refusal(code, message, field)],
  });
  const nameRefusal = (name: string | undefined, appId: string, id: string | null) => {
    const taken = world.calendars.some((c) => c.appId === appId && c.name === name && c.id !== id);
    const field = ['input', 'name'];
    if (name === '') return refuse('REQUIRED', 'The name is empty. Give the calendar one.', field);
    if (!taken) return null;
    const message = `The app has a calendar "${name}" already. Choose another name.`;
    return refuse('TAKEN', message, field);
  };
  return {
    createCalendar: ({ input }: { input: Fields & { app: string } }) => {
      const { app, ...fields } = input;
      const refused = nameRefusal(fields.name, app, null);
      if (refused) return refused;
      const made = makeCalendar(need(world.apps, app), { description: '', ...fields });
      world.calendars.push(made);
      return { calendar: calendarView(world, made), userErrors: [] };
    },
    updateCalendar: ({ input }: { input: Fields & { id: string } }) => {
      const { id, version, ...fields } = input;
      const old = need(world.calendars, id);
      if (version !== undefined && version !== old.version) {
        const message = `The calendar is at version ${old.version} by now. Load it again and repeat the change.`;
        return refuse('CONFLICT', message, ['input', 'version']);
      }
      const refused = nameRefusal(fields.name, old.appId, id);
      if (refused) return refused;
      const wrong = fields.quietWindows?.findIndex((w) => w.from === w.to) ?? -1;
      if (wrong >= 0) {
        const field = ['input', 'quietWindows', String(wrong), 'to'];
        return refuse('INVALID', 'The window ends when it begins. Choose another end.', field);
      }
      Object.assign(old, fields, { version: old.version + 1 });
      return { calendar: calendarView(world, old), userErrors: [] };
    },
    deleteCalendar: ({ id }: { id: string }) => {
      const old = need(world.calendars, id);
      world.calendars = world.calendars.filter((c) => c.id !== id);
      return { calendar: calendarView(world, old), userErrors: [] };
    },
    importCalendar: ({ input }: { input: ImportInput }) => importDays(world, input),
  };
}

interface ImportInput {
  id: string;
  format: string;
  text: string;
  replaceYear?: number | null;
  dryRun?: boolean;
}

function importDays(world: World, input: ImportInput) {
  const calendar = need(world.calendars, input.id);
  const nothing = { calendar: null, added: [], removed: [], unchanged: 0 };
  const found: DayRecord[] = [];
  for (const [i, line] of input.text.split('\n').entries()) {
    const match = /^(\d{4}-\d{2}-\d{2})\s+(work\s+)?(.+)$/.exec(line.trim());
    if (!match && line.trim() !== '') {
      const message = `Line ${i + 1}: "${line.trim()}" has no date. Write 2026-10-01 and the name.`;
      return { ...nothing, userErrors: [refusal('INVALID', message, ['input', 'text'])] };
    }
    if (match) {
      const [, date = '', work, name = ''] = match;
      found.push({ date, kind: work ? 'WORK' : 'REST', name });
    }
  }
  const same = (a: DayRecord, b: DayRecord) =>
    a.date === b.date && a.kind === b.kind && a.name === b.name;
  const added = found.filter((day) => !calendar.days.some((old) => same(old, day)));
  const removed = calendar.days.filter(
    (old) =>
      input.replaceYear != null &&
      old.date.startsWith(String(input.replaceYear)) &&
      !found.some((day) => day.date === old.date),
  );
  if (!input.dryRun) {
    const kept = calendar.days.filter(
      (old) => !removed.includes(old) && !added.some((day) => day.date === old.date),
    );
    calendar.days = [...kept, ...added].sort((a, b) => a.date.localeCompare(b.date));
    calendar.version++;
  }
  return {
    calendar: calendarView(world, calendar),
    added,
    removed,
    unchanged: found.length - added.length,
    userErrors: [],
  };
}
