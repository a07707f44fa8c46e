import { TZDate } from '@date-fns/tz';
import { fullTime } from './format';

/** An instant as a datetime-local field holds it, on the wall clock of a zone; empty for none. */
export function toLocal(at: string | null, zone: string): string {
  return at === null ? '' : fullTime(new Date(at), zone).replace(' ', 'T');
}

/** The instant of a datetime-local field's value in a zone; null for an empty or unfinished one. */
export function toInstant(local: string, zone: string): string | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?/.exec(local);
  if (!match) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const at = new TZDate(year, month - 1, day, hour, minute, second, zone);
  return Number.isNaN(at.getTime()) ? null : new Date(at.getTime()).toISOString();
}
