import { type NotificationState, notificationStateValues } from '@/graphql/generated/enums';
import type { NotificationFilter } from '@/graphql/generated/graphql';
import { instant, someOf, text } from '@/routes/search';

export const pageSize = 50;

/** What the address of the list says. */
export interface DeliveriesSearch {
  outcomes?: NotificationState[] | undefined;
  channel?: string | undefined;
  from?: string | undefined;
  after?: string | undefined;
  /** The one that is looked at. */
  notification?: string | undefined;
}

export function readDeliveriesSearch(raw: Record<string, unknown>): DeliveriesSearch {
  return {
    outcomes: someOf(raw, 'outcomes', notificationStateValues),
    channel: text(raw, 'channel', 64),
    from: instant(raw, 'from'),
    after: text(raw, 'after'),
    notification: text(raw, 'notification', 64),
  };
}

/** The server's filter for an address; undefined parts do not filter. */
export function deliveryFilter(search: DeliveriesSearch): NotificationFilter {
  const { outcomes, channel, from } = search;
  return {
    ...(outcomes ? { states: outcomes } : {}),
    ...(channel ? { channel } : {}),
    ...(from ? { from } : {}),
  };
}
