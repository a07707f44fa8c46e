import type {
  ChannelRecord,
  IncidentRecord,
  NoteRecord,
  ReportScheduleRecord,
  RuleRecord,
  ScopeRecord,
  SilenceRecord,
} from './alert-records.ts';
import { pageOf } from './page.ts';
import { appView, groupView, jobView, need, nodeView, taskView } from './queries.ts';
import { reportOf } from './report.ts';
import type { World } from './world.ts';

// Views of alerts, and the root fields of Query about them.

const one = <T extends { id: string }, V>(
  all: readonly T[],
  id: string | null | undefined,
  view: (record: T) => V,
): V | null => {
  const found = all.find((each) => each.id === id);
  return found ? view(found) : null;
};

export function scopeView(world: World, scope: ScopeRecord): object {
  return {
    kind: scope.kind,
    labels: scope.labels ?? null,
    app: () => one(world.apps, scope.appId, (app) => appView(world, app)),
    group: () => one(world.groups, scope.groupId, (group) => groupView(world, group)),
    job: () => one(world.jobs, scope.jobId, (job) => jobView(world, job)),
  };
}

const receivers = (world: World, to: { channels: string[]; people: string[] }) => ({
  channels: () => to.channels.map((id) => channelView(need(world.channels, id))),
  people: () => to.people.map((id) => need(world.people, id)),
});

export function ruleView(world: World, rule: RuleRecord): object {
  return {
    ...rule,
    scope: () => scopeView(world, rule.scope),
    routes: () => rule.routes.map((route) => ({ ...route, ...receivers(world, route) })),
    escalation: () =>
      rule.escalation && { ...rule.escalation, ...receivers(world, rule.escalation) },
    openIncidents: world.incidents.filter((i) => i.ruleId === rule.id && i.state !== 'RESOLVED')
      .length,
  };
}

export function incidentView(world: World, incident: IncidentRecord): object {
  const task = () => one(world.tasks, incident.lastTaskId, (t) => taskView(world, t));
  return {
    ...incident,
    rule: () => one(world.rules, incident.ruleId, (rule) => ruleView(world, rule)),
    silencedBy: () => one(world.silences, incident.silenceId, (s) => silenceView(world, s)),
    job: () => one(world.jobs, incident.jobId, (job) => jobView(world, job)),
    group: () => one(world.groups, incident.groupId, (group) => groupView(world, group)),
    node: () => one(world.nodes, incident.nodeId, (node) => nodeView(world, node)),
    lastTask: task,
    timeline: (args: object) => {
      const entries = [...incident.entries].sort((a, b) => b.at.localeCompare(a.at));
      const page = pageOf(entries, args);
      return {
        ...page,
        nodes: page.nodes.map((entry) => ({
          ...entry,
          task: () => one(world.tasks, entry.taskId, (t) => taskView(world, t)),
        })),
      };
    },
    notifications: () =>
      world.notes
        .filter((note) => note.incidentIds.includes(incident.id))
        .map((note) => noteView(world, note)),
  };
}

export function silenceView(world: World, silence: SilenceRecord): object {
  return {
    ...silence,
    scope: () => scopeView(world, silence.scope),
    rule: () => one(world.rules, silence.ruleId, (rule) => ruleView(world, rule)),
  };
}

export const channelView = (channel: ChannelRecord): object => ({ ...channel });

export function noteView(world: World, note: NoteRecord): object {
  return {
    ...note,
    channel: () => one(world.channels, note.channelId, channelView),
    rule: () => one(world.rules, note.ruleId, (rule) => ruleView(world, rule)),
    incidents: () =>
      note.incidentIds.flatMap(
        (id) => one(world.incidents, id, (i) => incidentView(world, i)) ?? [],
      ),
  };
}

export function scheduleView(world: World, schedule: ReportScheduleRecord): object {
  return {
    ...schedule,
    ...receivers(world, schedule),
    app: () => one(world.apps, schedule.appId, (app) => appView(world, app)),
  };
}

export function summaryOf(world: World) {
  const open = world.incidents.filter((i) => i.state === 'OPEN');
  return {
    open: open.length,
    acknowledged: world.incidents.filter((i) => i.state === 'ACKNOWLEDGED').length,
    critical: open.filter((i) => i.severity === 'CRITICAL').length,
  };
}

interface IncidentFilterArgs {
  states?: string[] | null;
  severities?: string[] | null;
  events?: string[] | null;
  job?: string | null;
  group?: string | null;
  rule?: string | null;
  app?: string | null;
  from?: string | null;
}

interface NoteFilterArgs {
  states?: string[] | null;
  channel?: string | null;
  rule?: string | null;
  incident?: string | null;
  from?: string | null;
}

interface PageArgs {
  first?: number;
  after?: string;
}

const within = (wanted: readonly string[] | null | undefined, value: string) =>
  !wanted || wanted.length === 0 || wanted.includes(value);

function fits(world: World, incident: IncidentRecord, f: IncidentFilterArgs): boolean {
  const groupId =
    incident.groupId ?? world.jobs.find((job) => job.id === incident.jobId)?.groupId ?? '';
  const appId = world.groups.find((group) => group.id === groupId)?.appId;
  return (
    within(f.states, incident.state) &&
    within(f.severities, incident.severity) &&
    within(f.events, incident.event) &&
    (!f.job || incident.jobId === f.job) &&
    (!f.group || groupId === f.group) &&
    (!f.rule || incident.ruleId === f.rule) &&
    (!f.app || appId === f.app) &&
    (!f.from || incident.openedAt >= f.from)
  );
}

/** The root fields of Query about alerts. */
export function alertQueries(world: World) {
  return {
    alertSummary: () => summaryOf(world),
    alertRules: ({ app }: { app?: string | null }) =>
      world.rules
        .filter((rule) => !app || rule.scope.appId === app)
        .map((rule) => ruleView(world, rule)),
    alertRule: ({ id }: { id: string }) => one(world.rules, id, (rule) => ruleView(world, rule)),
    alertRuleTrial: () => world.trial,
    incidents: ({ filter, ...args }: PageArgs & { filter?: IncidentFilterArgs | null }) => {
      const found = world.incidents
        .filter((incident) => fits(world, incident, filter ?? {}))
        .sort((a, b) => b.openedAt.localeCompare(a.openedAt));
      const page = pageOf(found, args);
      return { ...page, nodes: page.nodes.map((incident) => incidentView(world, incident)) };
    },
    incident: ({ id }: { id: string }) =>
      one(world.incidents, id, (incident) => incidentView(world, incident)),
    silences: () => world.silences.map((silence) => silenceView(world, silence)),
    alertChannels: () => world.channels.map(channelView),
    alertChannel: ({ id }: { id: string }) => one(world.channels, id, channelView),
    channelKinds: () => channelKinds,
    notifications: ({ filter, ...args }: PageArgs & { filter?: NoteFilterArgs | null }) => {
      const f = filter ?? {};
      const found = world.notes
        .filter(
          (note) =>
            within(f.states, note.state) &&
            (!f.channel || note.channelId === f.channel) &&
            (!f.rule || note.ruleId === f.rule) &&
            (!f.incident || note.incidentIds.includes(f.incident)) &&
            (!f.from || note.createdAt >= f.from),
        )
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
      const page = pageOf(found, args);
      return { ...page, nodes: page.nodes.map((note) => noteView(world, note)) };
    },
    notification: ({ id }: { id: string }) => one(world.notes, id, (note) => noteView(world, note)),
    messagePreview: ({ input }: { input: PreviewArgs }) => previewOf(input),
    people: () => world.people,
    reportSchedules: () => world.schedules.map((schedule) => scheduleView(world, schedule)),
    morningReport: () => reportOf(world),
  };
}

interface PreviewArgs {
  message: string;
  language?: string | null;
  subject?: string | null;
  body?: string | null;
}

/** Renders nothing: shows the template with a sample's title in it, or refuses one that is not closed. */
function previewOf(input: PreviewArgs): object {
  const zh = input.language === 'zh-CN';
  const usual = zh
    ? 'reconcile-payments 失败 3 次\n自 03:02 起，最近一次 07:20\n第 3 次尝试，节点 shop-7f9c-1：connection refused\n将不再重试，等待处理。'
    : 'reconcile-payments failed 3 times\nsince 03:02, last at 07:20\nAttempt 3 on shop-7f9c-1: connection refused\nIt is not retried any more and waits for a person.';
  const body = input.body?.replace(/\{\{[^}]*\}\}/g, '…') ?? usual;
  const open = input.body?.split('{{').length !== input.body?.split('}}').length;
  const message = 'The body does not end an action: "{{" without "}}". Close it.';
  return {
    subject:
      input.subject ??
      (zh ? '[严重] reconcile-payments 失败' : '[Critical] reconcile-payments failed'),
    body,
    bytes: new TextEncoder().encode(body).length,
    truncated: false,
    error: input.body && open ? { code: 'INVALID', field: ['input', 'body'], message } : null,
  };
}

const channelKinds = [
  [
    'DINGTALK',
    20,
    5,
    20_000,
    'bytes',
    'Twenty messages a minute; what is above is refused for ten minutes.',
  ],
  [
    'FEISHU',
    100,
    5,
    20_000,
    'bytes',
    'Avoid the full and the half hour: the service is crowded then.',
  ],
  ['WECOM', 20, 5, 4_096, 'bytes', 'Twenty messages a minute and robot.'],
  ['SLACK', 60, 3, 40_000, 'characters', 'One message a second and channel.'],
  ['TEAMS', 60, 4, 28_000, 'bytes', 'The workflow answers 202 before it has posted.'],
  ['TELEGRAM', 20, 1, 4_096, 'characters', 'Twenty messages a minute and group.'],
  ['DISCORD', 30, 5, 2_000, 'characters', 'Thirty messages a minute and channel.'],
  ['WEBHOOK', 600, 50, 1_000_000, 'bytes', 'Signed as Standard Webhooks say.'],
  ['EMAIL', 60, 10, 1_000_000, 'bytes', 'Providers limit how much a sender may send.'],
].map(([kind, perMinute, burst, sizeLimit, sizeUnit, note]) => ({
  kind,
  perMinute,
  burst,
  sizeLimit,
  sizeUnit,
  note,
}));
