import type { TFunction } from 'i18next';
import type { ChannelKind, MessageKind, SmtpSecurity } from '@/graphql/generated/enums';
import type { AlertChannelInput, ChannelDetailFragment } from '@/graphql/generated/graphql';
import type { NumberField } from '@/graphql/number-errors';
import { formatGoDuration } from '@/time/duration';

/** A field of a kind's settings, and how it is asked for. */
export interface FieldSpec {
  name: string;
  /**
   * secret: hidden, and kept when left empty. lines: one value a line. keys and pairs ("Name: value"):
   * the same, of secrets; what is stored shows as a hidden line, which can be moved or taken out.
   */
  type: 'text' | 'secret' | 'number' | 'lines' | 'keys' | 'pairs' | 'security';
  required?: boolean;
  example?: string;
}

/** Names of the kinds' inputs in AlertChannelInput. */
export const inputNames = {
  DINGTALK: 'dingtalk',
  FEISHU: 'feishu',
  WECOM: 'wecom',
  SLACK: 'slack',
  TEAMS: 'teams',
  TELEGRAM: 'telegram',
  DISCORD: 'discord',
  WEBHOOK: 'webhook',
  EMAIL: 'email',
} as const satisfies Record<ChannelKind, keyof AlertChannelInput>;

const url = (example: string): FieldSpec => ({
  name: 'url',
  type: 'secret',
  required: true,
  example,
});

/** What each kind asks for. Addresses of robots are secrets: whoever has one can post. */
export const fieldsOf: Record<ChannelKind, readonly FieldSpec[]> = {
  DINGTALK: [
    url('https://oapi.dingtalk.com/robot/send?access_token=…'),
    { name: 'secret', type: 'secret', example: 'SEC…' },
    { name: 'mentionMobiles', type: 'lines' },
  ],
  FEISHU: [
    url('https://open.feishu.cn/open-apis/bot/v2/hook/…'),
    { name: 'secret', type: 'secret' },
  ],
  WECOM: [url('https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…')],
  SLACK: [url('https://hooks.slack.com/services/T…/B…/…')],
  TEAMS: [url('https://….logic.azure.com/workflows/…')],
  TELEGRAM: [
    { name: 'token', type: 'secret', required: true, example: '123456:ABC-DEF…' },
    { name: 'chat', type: 'text', required: true, example: '-1001234567890' },
    { name: 'thread', type: 'text' },
  ],
  DISCORD: [url('https://discord.com/api/webhooks/…/…')],
  WEBHOOK: [
    { name: 'url', type: 'text', required: true, example: 'https://example.com/hooks/belfry' },
    { name: 'secrets', type: 'keys', example: 'whsec_…' },
    { name: 'headers', type: 'pairs', example: 'X-Team: payments' },
  ],
  EMAIL: [
    { name: 'host', type: 'text', required: true, example: 'smtp.example.com' },
    { name: 'port', type: 'number', required: true, example: '587' },
    { name: 'security', type: 'security', required: true },
    { name: 'username', type: 'text' },
    { name: 'password', type: 'secret' },
    { name: 'from', type: 'text', required: true, example: 'belfry@example.com' },
    { name: 'to', type: 'lines', required: true, example: 'ops@example.com' },
  ],
};

export interface TemplateForm {
  kind: MessageKind;
  subject: string;
  body: string;
}

/** A channel as the form holds it; settings by the names of their fields, as typed. */
export interface ChannelForm {
  name: string;
  kind: ChannelKind;
  language: string;
  perMinute: string;
  burst: string;
  maxAge: string;
  settings: Record<string, string>;
  templates: TemplateForm[];
}

/** What the server writes in place of a secret. */
const hidden = '(hidden)';

export function newChannel(kind: ChannelKind, language: string): ChannelForm {
  const settings: Record<string, string> =
    kind === 'EMAIL' ? { port: '587', security: 'STARTTLS' } : {};
  return {
    name: '',
    kind,
    language,
    perMinute: '',
    burst: '',
    maxAge: '',
    settings,
    templates: [],
  };
}

function shown(value: unknown, spec: FieldSpec): string {
  if (value === null || value === undefined) return '';
  if (spec.type === 'pairs' && typeof value === 'object') {
    return Object.entries(value)
      .map(([name, text]) => `${name}: ${String(text)}`)
      .join('\n');
  }
  if (Array.isArray(value)) return value.join('\n');
  const text = String(value);
  return text.includes(hidden) && spec.type === 'secret' ? '' : text === hidden ? '' : text;
}

export function channelForm(channel: ChannelDetailFragment): ChannelForm {
  const stored = (channel.settings ?? {}) as Record<string, unknown>;
  return {
    name: channel.name,
    kind: channel.kind,
    language: channel.language,
    perMinute: String(channel.perMinute),
    burst: String(channel.burst),
    maxAge: formatGoDuration(channel.maxAge),
    settings: Object.fromEntries(
      fieldsOf[channel.kind].map((spec) => [spec.name, shown(stored[spec.name], spec)]),
    ),
    templates: channel.templates.map(({ kind, subject, body }) => ({
      kind,
      subject: subject ?? '',
      body: body ?? '',
    })),
  };
}

/** Names of the fields of which the server has a secret. */
export function storedSecrets(channel: ChannelDetailFragment): ReadonlySet<string> {
  const stored = (channel.settings ?? {}) as Record<string, unknown>;
  return new Set(
    Object.entries(stored)
      .filter(([, value]) => JSON.stringify(value ?? '').includes(hidden))
      .map(([name]) => name),
  );
}

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

function pairs(text: string): Record<string, string> {
  return Object.fromEntries(
    lines(text).map((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

/**
 * A secret that is left empty is not sent: the server keeps the one it has. A list of them is sent as it
 * stands: of a hidden line the server keeps what it has, and what is not there is taken out.
 */
function sent(spec: FieldSpec, text: string, kept: ReadonlySet<string>): unknown {
  const value = text.trim();
  const isList = spec.type === 'keys' || spec.type === 'pairs';
  if (value === '' && kept.has(spec.name) && !isList) return undefined;
  switch (spec.type) {
    case 'number':
      return value === '' ? null : Number(value);
    case 'lines':
    case 'keys':
      return lines(text);
    case 'pairs':
      return pairs(text);
    case 'security':
      return value as SmtpSecurity;
    default:
      return value === '' ? null : value;
  }
}

const number = (text: string) => (text.trim() === '' ? null : Number(text));

export function channelInput(
  form: ChannelForm,
  kept: ReadonlySet<string>,
  version: number | null,
): AlertChannelInput {
  const settings = Object.fromEntries(
    fieldsOf[form.kind]
      .map((spec) => [spec.name, sent(spec, form.settings[spec.name] ?? '', kept)] as const)
      .filter(([, value]) => value !== undefined),
  );
  return {
    name: form.name.trim(),
    kind: form.kind,
    language: form.language,
    perMinute: number(form.perMinute),
    burst: number(form.burst),
    maxAge: form.maxAge.trim() || null,
    templates: form.templates
      .filter(({ subject, body }) => `${subject}${body}`.trim() !== '')
      .map(({ kind, subject, body }) => ({
        kind,
        subject: subject.trim() || null,
        body: body.trim() === '' ? null : body,
      })),
    ...(version === null ? {} : { version }),
    [inputNames[form.kind]]: settings,
  };
}

/** The numbers and lengths of time that a channel's form asks for, with the paths that the server gives them. */
export function channelNumbers(form: ChannelForm, t: TFunction<'channels'>): NumberField[] {
  const limit = (name: 'perMinute' | 'burst'): NumberField => ({
    path: `input.${name}`,
    label: t(name),
    text: form[name],
    shape: 'int',
  });
  const settings = fieldsOf[form.kind].filter(({ type }) => type === 'number');
  return [
    limit('perMinute'),
    limit('burst'),
    { path: 'input.maxAge', label: t('maxAge'), text: form.maxAge, shape: 'duration' },
    ...settings.map(
      ({ name, required = false }): NumberField => ({
        path: `input.${inputNames[form.kind]}.${name}`,
        label: t(`setting.${name as 'port'}`),
        text: form.settings[name] ?? '',
        shape: 'int',
        required,
      }),
    ),
  ];
}
