import { text } from '@/routes/search';
import { isDate } from '@/time/civil';
import { isZone } from '@/time/format';

/** What the address says: which app, the day on which the report is sent, and in which zone. */
export interface ReportSearch {
  app?: string | undefined;
  day?: string | undefined;
  zone?: string | undefined;
}

export function readReportSearch(raw: Record<string, unknown>): ReportSearch {
  const day = text(raw, 'day', 10);
  const zone = text(raw, 'zone', 64);
  return {
    app: text(raw, 'app', 64),
    day: day && isDate(day) ? day : undefined,
    zone: zone && isZone(zone) ? zone : undefined,
  };
}
