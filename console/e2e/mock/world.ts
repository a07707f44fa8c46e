import { execute, type GraphQLSchema, parse, validate } from 'graphql';
import type { TokenRecord, UserRecord } from './accounts.ts';
import type {
  ChannelRecord,
  IncidentRecord,
  NoteRecord,
  PersonRecord,
  ReportScheduleRecord,
  RuleRecord,
  SilenceRecord,
} from './alert-records.ts';
import { incidentView, noteView, summaryOf } from './alerts.ts';
import type { AuditRecord } from './audit.ts';
import { type BackfillRecord, backfillView } from './backfill.ts';
import { type BulkRecord, bulkView } from './bulk.ts';
import type { CalendarRecord } from './calendars.ts';
import { mutations } from './mutations.ts';
import { groupView, jobView, nodeView, queries, taskView } from './queries.ts';
import type {
  AppRecord,
  GroupRecord,
  JobRecord,
  NodeRecord,
  ServerRecord,
  TaskRecord,
} from './records.ts';
import { loadSchema } from './schema.ts';
import {
  type FactorRecord,
  makeFactor,
  makeSessions,
  type SessionRecord,
  theCode,
  theQr,
  theRecoveryCodes,
  theSecret,
} from './second-factor.ts';
import type { FindingRecord } from './security.ts';

export interface ViewerRecord {
  name: string;
  isToken: boolean;
  role: 'VIEWER' | 'OPERATOR' | 'DEVELOPER' | 'ADMIN';
  /** The same as `role` when absent. */
  roleInAllApps?: 'VIEWER' | 'OPERATOR' | 'DEVELOPER' | 'ADMIN' | null;
  locale: string | null;
  timeZone: string | null;
}

/** What the server does wrong, if anything. */
export interface Faults {
  /** Every answer is late by so many milliseconds. */
  delayMs: number;
  /** Answers to this operation alone are late. */
  late?: { only: string; ms: number } | null;
  /** GraphQL requests answer with this; with `only`, those of this operation. */
  error: { code: string; message: string; requestId?: string; only?: string } | null;
  /** Every request gets this HTTP status and no JSON. */
  status: number | null;
}

export interface Answer {
  status: number;
  body: unknown;
}

type Listener = (field: string, value: object, extensions?: object) => void;

let schema: GraphQLSchema | undefined;

/** A small stand-in for the server: data in memory, queries executed against the real schema. For tests and looking only. */
export class World {
  viewer: ViewerRecord | null = {
    name: 'admin',
    isToken: false,
    role: 'ADMIN',
    locale: null,
    timeZone: null,
  };
  password = 'correct horse';
  link = { token: 'good-token', needsPassword: true };
  users: UserRecord[] = [];
  tokens: TokenRecord[] = [];
  audits: AuditRecord[] = [];
  factor: FactorRecord = makeFactor();
  methods: { password: boolean; provider: { name: string; available: boolean } | null } = {
    password: true,
    provider: null,
  };
  sessions: SessionRecord[] = makeSessions();
  apps: AppRecord[] = [];
  groups: GroupRecord[] = [];
  nodes: NodeRecord[] = [];
  servers: ServerRecord[] = [];
  /** What is weak. */
  findings: FindingRecord[] = [];
  calendars: CalendarRecord[] = [];
  jobs: JobRecord[] = [];
  tasks: TaskRecord[] = [];
  backfills: BackfillRecord[] = [];
  rules: RuleRecord[] = [];
  incidents: IncidentRecord[] = [];
  silences: SilenceRecord[] = [];
  schedules: ReportScheduleRecord[] = [];
  /** Answers every trial of a rule. */
  trial: object = {
    events: '0',
    incidents: 0,
    messages: 0,
    suppressed: 0,
    entries: [],
    error: null,
    coveredFrom: '2026-11-23T07:20:00Z',
  };
  channels: ChannelRecord[] = [];
  notes: NoteRecord[] = [];
  people: PersonRecord[] = [];
  bulks: BulkRecord[] = [];
  /** Milliseconds between the steps of bulk operations; null: they wait for `bulkStep`. */
  bulkPace: number | null = null;
  /** Answers to "why did it not run", by the instant as it is asked. */
  readonly whys = new Map<string, object>();
  /** Tasks that the server will not change, and what it says. */
  readonly refusals = new Map<string, string>();
  /** Set: the first page of tasks is empty, its search having come so far. */
  searchedTo: string | null = null;
  faults: Faults = { delayMs: 0, error: null, status: null };
  /** Ends per minute; made up by the scenario. */
  minutes: object[] = [];
  /** Every operation that was run, for assertions. */
  readonly calls: { name: string; variables: Record<string, unknown> }[] = [];
  private readonly listeners = new Set<Listener>();

  constructor(readonly now: () => Date = () => new Date()) {}

  /** Answers a GraphQL POST. */
  async graphql(request: {
    query: string;
    variables?: Record<string, unknown>;
    operationName?: string;
  }): Promise<Answer> {
    const { late } = this.faults;
    await this.wait(late?.only === request.operationName ? late?.ms : undefined);
    if (this.faults.status) return { status: this.faults.status, body: null };
    const { error } = this.faults;
    if (error && (!error.only || error.only === request.operationName)) {
      return { status: 200, body: failure(error) };
    }
    schema ??= loadSchema();
    const document = parse(request.query);
    const errors = validate(schema, document);
    if (errors.length > 0) return { status: 200, body: { errors } };
    this.calls.push({ name: request.operationName ?? '', variables: request.variables ?? {} });
    if (!this.viewer && request.operationName !== 'Viewer') {
      const error = { code: 'UNAUTHENTICATED', message: 'You are not signed in. Sign in again.' };
      return { status: 200, body: failure(error) };
    }
    const result = await execute({
      schema,
      document,
      rootValue: { ...queries(this), ...mutations(this) },
      variableValues: request.variables ?? {},
      operationName: request.operationName ?? null,
    });
    return { status: 200, body: result };
  }

  /** Answers a POST to /auth/… */
  async auth(path: string, body: Record<string, unknown>): Promise<Answer> {
    await this.wait();
    if (this.faults.status) return { status: this.faults.status, body: null };
    const refuse = (status: number, code: string, message: string) => ({
      status,
      body: { error: { code, message } },
    });
    if (path === '/auth/sign-in') {
      if (body.password !== this.password) {
        return refuse(
          401,
          'UNAUTHENTICATED',
          'Name or password is wrong. Check both and try again.',
        );
      }
      if (this.factor.since || this.factor.required) return { status: 200, body: this.step() };
      this.signIn(String(body.name));
      return { status: 204, body: null };
    }
    if (path === '/auth/second-factor') {
      const known = body.code === theCode || theRecoveryCodes.includes(String(body.code));
      if (!known) return refuse(400, 'INVALID', 'The code is wrong or was used already.');
      const isNew = !this.factor.since;
      this.factor.since = this.now().toISOString();
      this.signIn('admin');
      if (isNew) return { status: 200, body: { recoveryCodes: theRecoveryCodes } };
      return { status: 204, body: null };
    }
    if (path === '/auth/sign-out') {
      this.viewer = null;
      return { status: 204, body: null };
    }
    if (body.token !== this.link.token) {
      return refuse(401, 'UNAUTHENTICATED', 'This link was used or has expired.');
    }
    if (this.link.needsPassword && !body.password) {
      return { status: 200, body: { needsPassword: true, name: 'admin' } };
    }
    if (this.factor.since) {
      return { status: 200, body: { needsPassword: false, ...this.step() } };
    }
    this.signIn('admin');
    return { status: 200, body: { needsPassword: false } };
  }

  private step(): object {
    if (this.factor.since) return { next: 'code', ticket: 'a-ticket' };
    return { next: 'enrol', ticket: 'a-ticket', secret: theSecret, qr: theQr };
  }

  /** Runs a subscription; answers the way to end it. */
  subscribe(
    request: { query: string; variables?: Record<string, unknown> | undefined },
    next: (result: unknown) => void,
  ): () => void {
    schema ??= loadSchema();
    const document = parse(request.query);
    const errors = validate(schema, document);
    if (errors.length > 0) {
      next({ errors });
      return () => undefined;
    }
    const wanted = new Set<string>();
    for (const definition of document.definitions) {
      if (definition.kind !== 'OperationDefinition') continue;
      for (const s of definition.selectionSet.selections) {
        if (s.kind === 'Field') wanted.add(s.name.value);
      }
    }
    const listener: Listener = (field, value, extensions) => {
      if (!wanted.has(field) || !schema) return;
      const result = execute({
        schema,
        document,
        rootValue: { [field]: value },
        variableValues: request.variables ?? {},
      });
      void Promise.resolve(result).then((r) => next(extensions ? { ...r, extensions } : r));
    };
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  jobChanged(job: JobRecord, extensions?: object): void {
    this.emit('jobChanged', jobView(this, job), extensions);
  }

  taskChanged(task: TaskRecord, extensions?: object): void {
    this.emit('taskChanged', taskView(this, task), extensions);
  }

  /** Adds a line to a task's log and sends it to those who follow it. */
  logLine(task: TaskRecord, line: TaskRecord['logs'][number]): void {
    this.logLines(task, [line]);
  }

  logLines(task: TaskRecord, lines: TaskRecord['logs']): void {
    task.logs.push(...lines);
    this.emit('taskLogParts', { nodes: lines, truncated: false, lateAttempt: null });
  }

  incidentChanged(incident: IncidentRecord): void {
    this.emit('incidentChanged', incidentView(this, incident));
    this.emit('alertSummaryChanged', summaryOf(this));
  }

  noteChanged(note: NoteRecord): void {
    this.emit('notificationChanged', noteView(this, note));
  }

  backfillChanged(backfill: BackfillRecord): void {
    this.emit('backfillChanged', backfillView(this, backfill));
  }

  bulkChanged(bulk: BulkRecord): void {
    this.emit('bulkOperationChanged', bulkView(this, bulk));
  }

  nodeChanged(node: NodeRecord): void {
    this.emit('nodeChanged', nodeView(this, node));
  }

  groupChanged(group: GroupRecord): void {
    this.emit('nodeGroupChanged', groupView(this, group));
  }

  serverChanged(server: ServerRecord): void {
    this.emit('serverChanged', server);
  }

  overviewChanged(): void {
    this.emit('overviewChanged', queries(this).overview());
  }

  emit(field: string, value: object, extensions?: object): void {
    for (const listener of this.listeners) listener(field, value, extensions);
  }

  private signIn(name: string): void {
    this.viewer = { name, isToken: false, role: 'ADMIN', locale: null, timeZone: null };
  }

  private async wait(ms = this.faults.delayMs): Promise<void> {
    if (ms === 0) return;
    await new Promise((done) => {
      setTimeout(done, ms);
    });
  }
}

function failure(error: { code: string; message: string; requestId?: string }) {
  const { message, code, requestId } = error;
  const extensions = requestId ? { code, requestId } : { code };
  return { data: null, errors: [{ message, extensions }] };
}
