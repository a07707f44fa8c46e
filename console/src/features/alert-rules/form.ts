import { everything, type ScopeForm, scopeForm, scopeInput } from '@/features/alerts/scope';
import { positionsOf, weekdaysAt } from '@/features/calendars/week';
import { type AlertNotice, type AlertSeverity, alertNoticeValues } from '@/graphql/generated/enums';
import type { AlertRuleInput, RuleDetailFragment } from '@/graphql/generated/graphql';
import { formatGoDuration } from '@/time/duration';
import { type ConditionForm, conditionForm, conditionInput, newCondition } from './conditions';

export interface WindowForm {
  key: number;
  days: number[];
  from: string;
  to: string;
  severity: AlertSeverity;
}

export interface RouteForm {
  key: number;
  severities: AlertSeverity[];
  channels: string[];
  people: string[];
  /** Times of day, "12:00, 18:00"; empty: at once. */
  digestAt: string;
}

/** A rule as the form holds it. */
export interface RuleForm {
  name: string;
  description: string;
  enabled: boolean;
  scope: ScopeForm;
  conditions: ConditionForm[];
  zone: string;
  severity: AlertSeverity;
  windows: WindowForm[];
  routes: RouteForm[];
  escalates: boolean;
  escalateAfter: string;
  escalateChannels: string[];
  escalatePeople: string[];
  repeatEvery: string;
  maxPerHour: string;
  groupWait: string;
  groupInterval: string;
  notices: AlertNotice[];
}

/** A rule to begin with: loud at night, in digests by day. */
export function newRule(zone: string, scope: ScopeForm = everything): RuleForm {
  return {
    name: '',
    description: '',
    enabled: true,
    scope,
    conditions: [newCondition(0, 'RETRIES_EXHAUSTED')],
    zone,
    severity: 'WARNING',
    windows: [],
    routes: [
      {
        key: 0,
        severities: ['WARNING', 'CRITICAL'],
        channels: [],
        people: [],
        digestAt: '',
      },
    ],
    escalates: false,
    escalateAfter: '15m',
    escalateChannels: [],
    escalatePeople: [],
    repeatEvery: '',
    maxPerHour: '',
    groupWait: '',
    groupInterval: '',
    notices: [...alertNoticeValues],
  };
}

const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id);

export function ruleForm(rule: RuleDetailFragment): RuleForm {
  const { escalation } = rule;
  return {
    name: rule.name,
    description: rule.description,
    enabled: rule.enabled,
    scope: scopeForm(rule.scope),
    conditions: rule.conditions.map(conditionForm),
    zone: rule.zone,
    severity: rule.severity,
    windows: rule.windows.map((w, key) => ({ ...w, key, days: positionsOf(w.days) })),
    routes: rule.routes.map((route, key) => ({
      key,
      severities: [...route.severities],
      channels: ids(route.channels),
      people: ids(route.people),
      digestAt: route.digestAt.join(', '),
    })),
    escalates: escalation !== null,
    escalateAfter: formatGoDuration(escalation?.after ?? '15m'),
    escalateChannels: ids(escalation?.channels ?? []),
    escalatePeople: ids(escalation?.people ?? []),
    repeatEvery: formatGoDuration(rule.repeatEvery),
    maxPerHour: rule.maxPerHour ? String(rule.maxPerHour) : '',
    groupWait: formatGoDuration(rule.groupWait),
    groupInterval: formatGoDuration(rule.groupInterval),
    notices: [...rule.notices],
  };
}

/** Times of day in a text: "12:00, 18:00". */
export function clocks(text: string): string[] {
  return text
    .split(/[\s,;，、]+/)
    .map((part) => part.trim())
    .filter(Boolean);
}

const duration = (text: string) => text.trim() || null;

export function ruleInput(form: RuleForm, version: number | null): AlertRuleInput {
  return {
    name: form.name.trim(),
    description: form.description,
    enabled: form.enabled,
    scope: scopeInput(form.scope),
    conditions: form.conditions.map(conditionInput),
    zone: form.zone,
    severity: form.severity,
    windows: form.windows.map(({ days, from, to, severity }) => ({
      days: weekdaysAt(days),
      from,
      to,
      severity,
    })),
    routes: form.routes.map(({ severities, channels, people, digestAt }) => ({
      severities,
      channels,
      people,
      digestAt: clocks(digestAt),
    })),
    escalation: form.escalates
      ? {
          after: form.escalateAfter.trim(),
          channels: form.escalateChannels,
          people: form.escalatePeople,
        }
      : null,
    repeatEvery: duration(form.repeatEvery),
    maxPerHour: form.maxPerHour.trim() === '' ? null : Number(form.maxPerHour),
    ...(duration(form.groupWait) ? { groupWait: form.groupWait.trim() } : {}),
    ...(duration(form.groupInterval) ? { groupInterval: form.groupInterval.trim() } : {}),
    notices: form.notices,
    ...(version === null ? {} : { version }),
  };
}

/** A key for a new row of a list that no other row has. */
export function freeKey(rows: readonly { key: number }[]): number {
  return Math.max(-1, ...rows.map((row) => row.key)) + 1;
}
