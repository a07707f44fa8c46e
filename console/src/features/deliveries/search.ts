import { type NotificationState, notificationStateValues } from '@/graphql/generated/enums';
import type { NotificationFilter } from '@/graphql/generated/graphql';
import { instant, someOf, text } from '@/routes/search';

export const pageSize = 50;

/** What the address of the list says. */
export interface DeliveriesSearch {
  outcomes?: NotificationState[] | undefined;
  channel?: string | undefined;
  rule?: string | undefined;
  incident?: string | undefined;
  from?: string | undefined;
  after?: string | undefined;
  /** The one that is looked at. */
  notification?: string | undefined;
}

export function readDeliveriesSearch(raw: Record<string, unknown>): DeliveriesSearch {
  return {
    outcomes: someOf(raw, 'outcomes', notificationStateValues),
    channel: text(raw, 'channel', 64),
    rule: text(raw, 'rule', 64),
    incident: text(raw, 'incident', 64),
    from: instant(raw, 'from'),
    after: text(raw, 'after'),
    notification: text(raw, 'notification', 64),
  };
}

/** The server's filter for an address; undefined parts do not filter. */
export function deliveryFilter(search: DeliveriesSearch): NotificationFilter {
  const { outcomes, channel, rule, incident, from } = search;
  return {
    ...(outcomes ? { states: outcomes } : {}),
    ...(channel ? { channel } : {}),
    ...(rule ? { rule } : {}),
    ...(incident ? { incident } : {}),
    ...(from ? { from } : {}),
  };
}
