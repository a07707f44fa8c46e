// Records of alerts as the mock keeps them: ids in place of relations.

export interface ScopeRecord {
  kind: string;
  appId?: string;
  groupId?: string;
  jobId?: string;
  labels?: Record<string, string>;
}

export interface ConditionRecord {
  event: string;
  count: number;
  of: number;
  rate: number | null;
  window: string | null;
  longerThan: string | null;
  factor: number | null;
  by: string | null;
  depth: string | null;
  age: string | null;
}

export interface RouteRecord {
  severities: string[];
  channels: string[];
  people: string[];
  digestAt: string[];
}

export interface RuleRecord {
  id: string;
  name: string;
  description: string;
  enabled: boolean;
  scope: ScopeRecord;
  conditions: ConditionRecord[];
  zone: string;
  severity: string;
  windows: { days: string[]; from: string; to: string; severity: string }[];
  routes: RouteRecord[];
  escalation: { after: string; channels: string[]; people: string[] } | null;
  repeatEvery: string | null;
  maxPerHour: number | null;
  groupWait: string;
  groupInterval: string;
  notices: string[];
  createdBy: string;
  createdAt: string;
  updatedAt: string;
  version: number;
}

export interface EntryRecord {
  id: string;
  at: string;
  kind: string;
  message: string;
  taskId: string | null;
  attempt: number | null;
  node: string | null;
  actor: string | null;
}

export interface IncidentRecord {
  id: string;
  title: string;
  ruleId: string | null;
  event: string;
  severity: string;
  state: string;
  flapping: boolean;
  silenceId: string | null;
  jobId: string | null;
  groupId: string | null;
  nodeId: string | null;
  server: string | null;
  openedAt: string;
  lastAt: string;
  count: string;
  acknowledgedAt: string | null;
  acknowledgedBy: string | null;
  resolvedAt: string | null;
  resolution: string | null;
  downtime: string | null;
  lastTaskId: string | null;
  lastError: string | null;
  entries: EntryRecord[];
}

export interface SilenceRecord {
  id: string;
  kind: string;
  scope: ScopeRecord;
  ruleId: string | null;
  reason: string;
  author: string;
  startsAt: string;
  endsAt: string | null;
  recurrence: { days: string[]; from: string; to: string; zone: string } | null;
  remindBefore: string | null;
  active: boolean;
  activeUntil: string | null;
  suppressed: string;
  createdAt: string;
}

export interface ChannelRecord {
  id: string;
  name: string;
  kind: string;
  enabled: boolean;
  disabledReason: string | null;
  language: string;
  settings: Record<string, unknown>;
  perMinute: number;
  burst: number;
  maxAge: string;
  templates: { kind: string; subject: string | null; body: string }[];
  queued: string;
  lastSentAt: string | null;
  lastError: string | null;
  createdAt: string;
  version: number;
}

export interface NoteRecord {
  id: string;
  channelId: string | null;
  ruleId: string | null;
  kind: string;
  severity: string;
  state: string;
  reason: string;
  incidentIds: string[];
  problems: number;
  subject: string;
  body: string;
  tries: object[];
  createdAt: string;
  sentAt: string | null;
  nextAt: string | null;
}

export interface PersonRecord {
  id: string;
  name: string;
  contacts: Record<string, string>;
}

export interface ReportScheduleRecord {
  id: string;
  name: string;
  appId: string | null;
  zone: string;
  at: string;
  days: string[];
  channels: string[];
  people: string[];
  enabled: boolean;
  lastSentAt: string | null;
  nextAt: string | null;
  version: number;
}

let counter = 0;
const id = (prefix: string) => `${prefix}${String(++counter).padStart(5, '0')}`;

export function makeCondition(event: string, over: Partial<ConditionRecord> = {}): ConditionRecord {
  return {
    event,
    count: 1,
    of: 1,
    rate: null,
    window: null,
    longerThan: null,
    factor: null,
    by: null,
    depth: null,
    age: null,
    ...over,
  };
}

export function makeRule(over: Partial<RuleRecord> = {}): RuleRecord {
  return {
    id: id('rule'),
    name: 'failures',
    description: '',
    enabled: true,
    scope: { kind: 'ALL' },
    conditions: [makeCondition('RETRIES_EXHAUSTED')],
    zone: 'Asia/Shanghai',
    severity: 'WARNING',
    windows: [{ days: [], from: '22:00', to: '08:00', severity: 'CRITICAL' }],
    routes: [],
    escalation: null,
    repeatEvery: null,
    maxPerHour: null,
    groupWait: '30s',
    groupInterval: '5m0s',
    notices: ['OPENED', 'REPEATED', 'RECOVERED'],
    createdBy: 'admin',
    createdAt: '2026-11-01T09:00:00Z',
    updatedAt: '2026-11-20T09:00:00Z',
    version: 1,
    ...over,
  };
}

export function makeIncident(over: Partial<IncidentRecord> = {}): IncidentRecord {
  return {
    id: id('inc'),
    title: 'close-unpaid-orders failed',
    ruleId: null,
    event: 'RETRIES_EXHAUSTED',
    severity: 'CRITICAL',
    state: 'OPEN',
    flapping: false,
    silenceId: null,
    jobId: null,
    groupId: null,
    nodeId: null,
    server: null,
    openedAt: '2026-11-30T03:02:11Z',
    lastAt: '2026-11-30T07:20:04Z',
    count: '7',
    acknowledgedAt: null,
    acknowledgedBy: null,
    resolvedAt: null,
    resolution: null,
    downtime: null,
    lastTaskId: null,
    lastError: null,
    entries: [],
    ...over,
  };
}

export function makeEntry(kind: string, over: Partial<EntryRecord> = {}): EntryRecord {
  return {
    id: id('ent'),
    at: '2026-11-30T03:02:11Z',
    kind,
    message: '',
    taskId: null,
    attempt: null,
    node: null,
    actor: null,
    ...over,
  };
}

export function makeSilence(over: Partial<SilenceRecord> = {}): SilenceRecord {
  return {
    id: id('sil'),
    kind: 'SILENCE',
    scope: { kind: 'ALL' },
    ruleId: null,
    reason: 'The bank moves its endpoint',
    author: 'admin',
    startsAt: '2026-11-30T06:00:00Z',
    endsAt: '2099-11-30T10:00:00Z',
    recurrence: null,
    remindBefore: null,
    active: true,
    activeUntil: '2099-11-30T10:00:00Z',
    suppressed: '3',
    createdAt: '2026-11-30T06:00:00Z',
    ...over,
  };
}

export function makeChannel(over: Partial<ChannelRecord> = {}): ChannelRecord {
  return {
    id: id('chan'),
    name: 'night-watch',
    kind: 'WEBHOOK',
    enabled: true,
    disabledReason: null,
    language: 'en',
    settings: { url: 'https://example.com/hooks/belfry', secrets: ['(hidden)'], headers: {} },
    perMinute: 60,
    burst: 10,
    maxAge: '24h0m0s',
    templates: [],
    queued: '0',
    lastSentAt: '2026-11-30T07:20:09Z',
    lastError: null,
    createdAt: '2026-11-01T09:00:00Z',
    version: 1,
    ...over,
  };
}

export function makeNote(over: Partial<NoteRecord> = {}): NoteRecord {
  return {
    id: id('01JDX0NOTE0000000000'),
    channelId: null,
    ruleId: null,
    kind: 'PROBLEM',
    severity: 'CRITICAL',
    state: 'SENT',
    reason: 'The rule "failures" sends critical problems at once.',
    incidentIds: [],
    problems: 1,
    subject: '[Critical] close-unpaid-orders failed',
    body: 'close-unpaid-orders failed 7 times since 03:02.\nAttempt 3 on shop-7f9c-1: connection refused',
    tries: [],
    createdAt: '2026-11-30T03:02:13Z',
    sentAt: '2026-11-30T03:02:14Z',
    nextAt: null,
    ...over,
  };
}

export function makePerson(name: string, over: Partial<PersonRecord> = {}): PersonRecord {
  return {
    id: id('per'),
    name,
    contacts: {
      email: '',
      mobile: '',
      feishuId: '',
      wecomId: '',
      slackId: '',
      telegramId: '',
      discordId: '',
    },
    ...over,
  };
}

export function makeReportSchedule(over: Partial<ReportScheduleRecord> = {}): ReportScheduleRecord {
  return {
    id: id('rep'),
    name: 'morning',
    appId: null,
    zone: 'Asia/Shanghai',
    at: '08:30',
    days: [],
    channels: [],
    people: [],
    enabled: true,
    lastSentAt: '2026-11-30T00:30:00Z',
    nextAt: '2026-12-01T00:30:00Z',
    version: 1,
    ...over,
  };
}
