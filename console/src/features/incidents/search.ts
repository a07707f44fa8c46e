import {
  type AlertEventKind,
  type AlertSeverity,
  alertEventKindValues,
  alertSeverityValues,
  type IncidentState,
} from '@/graphql/generated/enums';
import type { IncidentFilter } from '@/graphql/generated/graphql';
import { instant, oneOf, someOf, text } from '@/routes/search';

export const pageSize = 50;

/** What the list shows of states; without a choice, what is not over. */
export const shows = ['active', 'OPEN', 'ACKNOWLEDGED', 'RESOLVED', 'all'] as const;
export type Show = (typeof shows)[number];

/** What the address of the list says. */
export interface IncidentsSearch {
  show?: Show | undefined;
  severities?: AlertSeverity[] | undefined;
  event?: AlertEventKind | undefined;
  app?: string | undefined;
  group?: string | undefined;
  job?: string | undefined;
  rule?: string | undefined;
  from?: string | undefined;
  after?: string | undefined;
}

export function readIncidentsSearch(raw: Record<string, unknown>): IncidentsSearch {
  return {
    show: oneOf(raw, 'show', shows),
    severities: someOf(raw, 'severities', alertSeverityValues),
    event: oneOf(raw, 'event', alertEventKindValues),
    app: text(raw, 'app', 64),
    group: text(raw, 'group', 64),
    job: text(raw, 'job', 64),
    rule: text(raw, 'rule', 64),
    from: instant(raw, 'from'),
    after: text(raw, 'after'),
  };
}

const states: Record<Show, IncidentState[] | null> = {
  active: ['OPEN', 'ACKNOWLEDGED'],
  OPEN: ['OPEN'],
  ACKNOWLEDGED: ['ACKNOWLEDGED'],
  RESOLVED: ['RESOLVED'],
  all: null,
};

/** The server's filter for an address; undefined parts do not filter. */
export function incidentFilter(search: IncidentsSearch): IncidentFilter {
  const { severities, event, app, group, job, rule, from } = search;
  const wanted = states[search.show ?? 'active'];
  return {
    ...(wanted ? { states: wanted } : {}),
    ...(severities ? { severities } : {}),
    ...(event ? { events: [event] } : {}),
    ...(app ? { app } : {}),
    ...(group ? { group } : {}),
    ...(job ? { job } : {}),
    ...(rule ? { rule } : {}),
    ...(from ? { from } : {}),
  };
}

export function activeFilters(search: IncidentsSearch): number {
  const { show, severities, event, app, group, job, rule, from } = search;
  return [show, severities, event, app, group, job, rule, from].filter(Boolean).length;
}

/** Dialogs of an incident that a link can open; nothing changes before somebody confirms. */
export const asks = ['acknowledge', 'resolve', 'silence'] as const;
export type Ask = (typeof asks)[number];

export function readIncidentSearch(raw: Record<string, unknown>): { do?: Ask | undefined } {
  return { do: oneOf(raw, 'do', asks) };
}
