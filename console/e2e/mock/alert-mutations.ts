import {
  type ConditionRecord,
  makeChannel,
  makeCondition,
  makeEntry,
  makeNote,
  makeReportSchedule,
  makeRule,
  makeSilence,
  type RuleRecord,
  type ScopeRecord,
} from './alert-records.ts';
import {
  channelView,
  incidentView,
  noteView,
  ruleView,
  scheduleView,
  silenceView,
} from './alerts.ts';
import { need } from './queries.ts';
import { refusal } from './refusal.ts';
import type { World } from './world.ts';

interface Id {
  id: string;
}

interface ScopeArgs {
  kind: string;
  app?: string | null;
  group?: string | null;
  job?: string | null;
  labels?: Record<string, string> | null;
}

function scopeOf(scope: ScopeArgs): ScopeRecord {
  return {
    kind: scope.kind,
    ...(scope.app ? { appId: scope.app } : {}),
    ...(scope.group ? { groupId: scope.group } : {}),
    ...(scope.job ? { jobId: scope.job } : {}),
    ...(scope.labels ? { labels: scope.labels } : {}),
  };
}

/** What the server would refuse of a name. */
function nameRefusal(all: readonly { id: string; name: string }[], name: string, id: string) {
  const field = ['input', 'name'];
  if (name === '') return refusal('REQUIRED', 'The name is empty. Give it one.', field);
  const taken = all.some((each) => each.name === name && each.id !== id);
  return taken ? refusal('TAKEN', `The name "${name}" is taken. Choose another.`, field) : null;
}

function versionRefusal(sent: number | null | undefined, version: number) {
  if (sent == null || sent === version) return null;
  const message = `It is at version ${version} by now. Load it again and repeat the change.`;
  return refusal('CONFLICT', message, ['input', 'version']);
}

/** The root fields of Mutation about incidents, silences and rules. */
export function alertMutations(world: World) {
  return { ...incidentMutations(world), ...ruleMutations(world), ...channelMutations(world) };
}

function incidentMutations(world: World) {
  const change = (id: string, over: object, kind: string, message: string) => {
    const why = world.refusals.get(id);
    if (why) return { incident: null, userErrors: [refusal('CONFLICT', why)] };
    const incident = need(world.incidents, id);
    Object.assign(incident, over);
    const at = world.now().toISOString();
    incident.entries.push(makeEntry(kind, { at, message, actor: world.viewer?.name ?? null }));
    world.incidentChanged(incident);
    return { incident: incidentView(world, incident), userErrors: [] };
  };
  const now = () => world.now().toISOString();
  return {
    acknowledgeIncident: ({ id, comment }: Id & { comment?: string | null }) =>
      change(
        id,
        { state: 'ACKNOWLEDGED', acknowledgedAt: now(), acknowledgedBy: world.viewer?.name },
        'ACKNOWLEDGED',
        comment ?? '',
      ),
    unacknowledgeIncident: ({ id }: Id) =>
      change(
        id,
        { state: 'OPEN', acknowledgedAt: null, acknowledgedBy: null },
        'UNACKNOWLEDGED',
        '',
      ),
    resolveIncident: ({ id, comment }: Id & { comment?: string | null }) =>
      change(
        id,
        {
          state: 'RESOLVED',
          resolvedAt: now(),
          resolution: comment ?? 'By hand.',
          downtime: '4h18m',
        },
        'RESOLVED',
        comment ?? '',
      ),
    commentIncident: ({ id, comment }: Id & { comment: string }) =>
      change(id, {}, 'COMMENT', comment),
    createSilence: ({ input }: { input: SilenceArgs }) => {
      if (input.reason === '') {
        const message =
          'The reason is empty. Say why, for whoever wonders at three in the morning.';
        const error = refusal('REQUIRED', message, ['input', 'reason']);
        return { silence: null, userErrors: [error] };
      }
      const made = makeSilence({
        kind: input.kind,
        scope: scopeOf(input.scope),
        ruleId: input.rule ?? null,
        reason: input.reason,
        author: world.viewer?.name ?? '',
        startsAt: input.startsAt ?? now(),
        endsAt: input.endsAt ?? null,
        recurrence: input.recurrence ?? null,
        active: !input.recurrence,
        activeUntil: input.endsAt ?? null,
        suppressed: '0',
        createdAt: now(),
      });
      world.silences.push(made);
      return { silence: silenceView(world, made), userErrors: [] };
    },
    endSilence: ({ id }: Id) => {
      const silence = need(world.silences, id);
      Object.assign(silence, { active: false, activeUntil: null, endsAt: now() });
      return { silence: silenceView(world, silence), userErrors: [] };
    },
  };
}

interface SilenceArgs {
  kind: string;
  scope: ScopeArgs;
  rule?: string | null;
  reason: string;
  startsAt?: string | null;
  endsAt?: string | null;
  recurrence?: { days: string[]; from: string; to: string; zone: string } | null;
}

type RuleArgs = Omit<RuleRecord, 'scope' | 'conditions'> & {
  scope: ScopeArgs;
  conditions: (Partial<ConditionRecord> & { event: string })[];
};

function ruleMutations(world: World) {
  const set = (id: string, enabled: boolean) => {
    const rule = need(world.rules, id);
    rule.enabled = enabled;
    return { alertRule: ruleView(world, rule), userErrors: [] };
  };
  const wrong = (input: RuleArgs, old: RuleRecord | null) => {
    const errors = [nameRefusal(world.rules, input.name, old?.id ?? '')];
    if (old) errors.push(versionRefusal(input.version, old.version));
    input.conditions.forEach((condition, i) => {
      if (condition.event !== 'RUN_TOO_LONG' || condition.longerThan || condition.factor) return;
      const message = 'RUN_TOO_LONG has neither longerThan nor factor. Give at least one.';
      errors.push(refusal('REQUIRED', message, ['input', 'conditions', String(i), 'longerThan']));
    });
    input.routes.forEach((route, i) => {
      const bad = route.digestAt.find((clock) => !/^\d\d:\d\d$/.test(clock));
      if (!bad) return;
      const message = `"${bad}" is no time of day. Write it like 12:00.`;
      errors.push(refusal('INVALID', message, ['input', 'routes', String(i), 'digestAt']));
    });
    return errors.filter((error) => error !== null);
  };
  const fields = ({ scope, conditions, version: _, ...rest }: RuleArgs) => ({
    ...rest,
    scope: scopeOf(scope),
    conditions: conditions.map(({ event, ...c }) => makeCondition(event, c)),
  });
  return {
    enableAlertRule: ({ id }: Id) => set(id, true),
    disableAlertRule: ({ id }: Id) => set(id, false),
    createAlertRule: ({ input }: { input: RuleArgs }) => {
      const userErrors = wrong(input, null);
      if (userErrors.length > 0) return { alertRule: null, userErrors };
      const made = makeRule(fields(input));
      world.rules.push(made);
      return { alertRule: ruleView(world, made), userErrors: [] };
    },
    updateAlertRule: ({ id, input }: Id & { input: RuleArgs }) => {
      const old = need(world.rules, id);
      const userErrors = wrong(input, old);
      if (userErrors.length > 0) return { alertRule: null, userErrors };
      Object.assign(old, fields(input), { version: old.version + 1 });
      return { alertRule: ruleView(world, old), userErrors: [] };
    },
    deleteAlertRule: ({ id }: Id) => {
      const old = need(world.rules, id);
      const gone = ruleView(world, old);
      world.rules = world.rules.filter((rule) => rule.id !== id);
      return { alertRule: gone, userErrors: [] };
    },
  };
}

interface ChannelArgs {
  name: string;
  kind: string;
  language?: string | null;
  perMinute?: number | null;
  burst?: number | null;
  templates?: { kind: string; subject: string | null; body: string }[] | null;
  version?: number | null;
  [settings: string]: unknown;
}

function channelMutations(world: World) {
  const set = (id: string, enabled: boolean) => {
    const channel = need(world.channels, id);
    Object.assign(channel, { enabled, disabledReason: null, version: channel.version + 1 });
    return { channel: channelView(channel), userErrors: [] };
  };
  const settingsOf = (input: ChannelArgs) =>
    (input[input.kind.toLowerCase()] ?? {}) as Record<string, unknown>;
  const wrong = (input: ChannelArgs, id: string, version: number | null) => {
    const errors = [nameRefusal(world.channels, input.name, id)];
    if (version !== null) errors.push(versionRefusal(input.version, version));
    const { url } = settingsOf(input);
    if (typeof url === 'string' && !url.startsWith('http')) {
      const message = `"${url}" is no address. Write https://…`;
      errors.push(refusal('INVALID', message, ['input', input.kind.toLowerCase(), 'url']));
    }
    return errors.filter((error) => error !== null);
  };
  const fields = (input: ChannelArgs) => ({
    name: input.name,
    language: input.language ?? 'en',
    perMinute: input.perMinute ?? 60,
    burst: input.burst ?? 10,
    templates: input.templates ?? [],
  });
  return {
    enableAlertChannel: ({ id }: Id) => set(id, true),
    disableAlertChannel: ({ id }: Id) => set(id, false),
    createAlertChannel: ({ input }: { input: ChannelArgs }) => {
      const userErrors = wrong(input, '', null);
      if (userErrors.length > 0) return { channel: null, userErrors };
      const made = makeChannel({
        ...fields(input),
        kind: input.kind,
        settings: settingsOf(input),
        lastSentAt: null,
      });
      world.channels.push(made);
      return { channel: channelView(made), userErrors: [] };
    },
    updateAlertChannel: ({ id, input }: Id & { input: ChannelArgs }) => {
      const old = need(world.channels, id);
      const userErrors = wrong(input, id, old.version);
      if (userErrors.length > 0) return { channel: null, userErrors };
      Object.assign(old, fields(input), {
        settings: { ...old.settings, ...settingsOf(input) },
        version: old.version + 1,
      });
      return { channel: channelView(old), userErrors: [] };
    },
    deleteAlertChannel: ({ id }: Id) => {
      const old = need(world.channels, id);
      world.channels = world.channels.filter((channel) => channel.id !== id);
      return { channel: channelView(old), userErrors: [] };
    },
    testAlertChannel: ({ id }: Id) => {
      const channel = need(world.channels, id);
      const ok = channel.lastError === null;
      return {
        ok,
        status: ok ? 200 : 403,
        response: ok ? '{"errcode":0}' : '{"errcode":310000,"errmsg":"sign not match"}',
        error: channel.lastError,
        duration: '84ms',
        userErrors: [],
      };
    },
    replayNotification: ({ id }: Id) => {
      const note = need(world.notes, id);
      Object.assign(note, { state: 'QUEUED', nextAt: world.now().toISOString() });
      world.emit('notificationChanged', noteView(world, note));
      return { notification: noteView(world, note), userErrors: [] };
    },
    updateContacts: ({ input }: { input: Record<string, string | null> }) => {
      const person = world.people.find((each) => each.name === world.viewer?.name);
      if (!person) throw new Error('nobody is signed in');
      if (input.email && !input.email.includes('@')) {
        const message = `"${input.email}" is no address. Write name@example.com.`;
        const error = refusal('INVALID', message, ['input', 'email']);
        return { person: null, userErrors: [error] };
      }
      Object.assign(person.contacts, input);
      return { person, userErrors: [] };
    },
    ...scheduleMutations(world),
  };
}

function scheduleMutations(world: World) {
  type Args = { name: string; app?: string | null; version?: number | null };
  const fields = ({ app, version: _, ...rest }: Args) => ({ ...rest, appId: app ?? null });
  return {
    createReportSchedule: ({ input }: { input: Args }) => {
      const error = nameRefusal(world.schedules, input.name, '');
      if (error) return { schedule: null, userErrors: [error] };
      const made = makeReportSchedule({ ...fields(input), lastSentAt: null });
      world.schedules.push(made);
      return { schedule: scheduleView(world, made), userErrors: [] };
    },
    updateReportSchedule: ({ id, input }: Id & { input: Args }) => {
      const old = need(world.schedules, id);
      const error = nameRefusal(world.schedules, input.name, id);
      if (error) return { schedule: null, userErrors: [error] };
      Object.assign(old, fields(input), { version: old.version + 1 });
      return { schedule: scheduleView(world, old), userErrors: [] };
    },
    deleteReportSchedule: ({ id }: Id) => {
      const old = need(world.schedules, id);
      const gone = scheduleView(world, old);
      world.schedules = world.schedules.filter((schedule) => schedule.id !== id);
      return { schedule: gone, userErrors: [] };
    },
    sendReportNow: ({ id }: Id) => {
      const schedule = need(world.schedules, id);
      schedule.lastSentAt = world.now().toISOString();
      world.notes.push(
        makeNote({ kind: 'REPORT', severity: 'INFO', subject: schedule.name, state: 'QUEUED' }),
      );
      return { schedule: scheduleView(world, schedule), userErrors: [] };
    },
  };
}
