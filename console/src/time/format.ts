const formatters = new Map<string, Intl.DateTimeFormat>();

// One formatter a zone: building them is dear, and a page shows few zones.
function formatter(zone: string): Intl.DateTimeFormat {
  let found = formatters.get(zone);
  if (!found) {
    found = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    });
    formatters.set(zone, found);
  }
  return found;
}

/** The fields of an instant on the wall clock of a zone, as digits. */
export interface WallTime {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
  second: string;
  /** +08:00, or Z for UTC. */
  offset: string;
}

export function wallTime(at: Date, zone: string): WallTime {
  const parts = Object.fromEntries(
    formatter(zone)
      .formatToParts(at)
      .map((p) => [p.type, p.value]),
  );
  // Engines differ in whether they write GMT or GMT+00:00.
  const offset = (parts.timeZoneName ?? '').replace(/^GMT(\+00:00)?/, '') || 'Z';
  return {
    year: parts.year ?? '',
    month: parts.month ?? '',
    day: parts.day ?? '',
    hour: parts.hour ?? '',
    minute: parts.minute ?? '',
    second: parts.second ?? '',
    offset,
  };
}

/** 2026-11-30 07:22:59 */
export function fullTime(at: Date, zone: string): string {
  const w = wallTime(at, zone);
  return `${w.year}-${w.month}-${w.day} ${w.hour}:${w.minute}:${w.second}`;
}

/** 11-30 07:22:59 in the same year, else with the year. */
export function shortTime(at: Date, zone: string, now: Date): string {
  const full = fullTime(at, zone);
  return wallTime(now, zone).year === full.slice(0, 4) ? full.slice(5) : full;
}

/** 07:22 */
export function clockTime(at: Date, zone: string): string {
  const w = wallTime(at, zone);
  return `${w.hour}:${w.minute}`;
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** "in 5 minutes", "3 hours ago", in the language given. */
export function relativeTime(at: Date, now: Date, locale: string): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1_000);
  const [unit, size] = steps.find(([, s]) => Math.abs(seconds) >= s) ?? ['second', 1];
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  return format.format(Math.trunc(seconds / size), unit);
}

/** Whether the browser knows this IANA zone. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone !== '';
  } catch {
    return false;
  }
}

export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

/** All zones for pickers, UTC first. */
export function allZones(): string[] {
  const zones = Intl.supportedValuesOf('timeZone').filter((z) => z !== 'UTC');
  return ['UTC', ...zones];
}
