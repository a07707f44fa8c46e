import { text } from '@/routes/search';
import { isDate } from '@/time/civil';
import { isZone } from '@/time/format';

/** Until when a report goes that says no time. */
export const usualTime = '08:00';

/** What the address says: which app, and the day, time and zone at which the report is sent. */
export interface ReportSearch {
  app?: string | undefined;
  day?: string | undefined;
  /** 08:30; the report is about the day until then. */
  at?: string | undefined;
  zone?: string | undefined;
}

export function readReportSearch(raw: Record<string, unknown>): ReportSearch {
  const day = text(raw, 'day', 10);
  const at = text(raw, 'at', 5);
  const zone = text(raw, 'zone', 64);
  return {
    app: text(raw, 'app', 64),
    day: day && isDate(day) ? day : undefined,
    at: at && /^([01]\d|2[0-3]):[0-5]\d$/.test(at) ? at : undefined,
    zone: zone && isZone(zone) ? zone : undefined,
  };
}
