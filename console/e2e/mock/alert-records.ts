// Records of alerts as the mock keeps them: ids in place of relations.

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
  kind: string;
  severity: string;
  state: string;
  reason: string;
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

let counter = 0;
const id = (prefix: string) => `${prefix}${String(++counter).padStart(5, '0')}`;

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
    kind: 'PROBLEM',
    severity: 'CRITICAL',
    state: 'SENT',
    reason: 'The rule "failures" sends critical problems at once.',
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
