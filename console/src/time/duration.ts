const unitMs: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** Milliseconds of a duration as Go writes it (250ms, 1h30m, -1.5s); null when it is none. */
export function parseDuration(text: string): number | null {
  const input = text.trim();
  const sign = input.startsWith('-') ? -1 : 1;
  const body = input.replace(/^[+-]/, '');
  if (body === '0') return 0;
  let total = 0;
  let at = 0;
  const part = /(\d+(?:\.\d+)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/gy;
  for (const match of body.matchAll(part)) {
    total += Number(match[1]) * (unitMs[match[2] ?? ''] ?? 0);
    at = match.index + match[0].length;
  }
  return at > 0 && at === body.length ? sign * total : null;
}

/** Writes milliseconds as people read them, two units at most: 250 ms, 4.2 s, 1 m 05 s, 3 h 20 m, 2 d 4 h. */
export function formatDuration(ms: number): string {
  const sign = ms < 0 ? '−' : '';
  const abs = Math.abs(ms);
  if (abs === 0) return '0 s';
  if (abs < 1) return `${sign}${trim(abs * 1_000, 0)} µs`;
  if (abs < 1_000) return `${sign}${trim(abs, abs < 10 ? 1 : 0)} ms`;
  if (abs < 59_950) return `${sign}${trim(abs / 1_000, abs < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(abs / 1_000);
  if (seconds < 3_600) return sign + pair(seconds, 60, 'm', 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 1_440) return sign + pair(minutes, 60, 'h', 'm');
  return sign + pair(Math.round(minutes / 60), 24, 'd', 'h');
}

/** Writes milliseconds as Go reads them: 90000 → 1m30s. */
export function toGoDuration(ms: number): string {
  if (ms % 1_000 !== 0) return `${ms}ms`;
  let rest = ms / 1_000;
  const hours = Math.floor(rest / 3_600);
  rest -= hours * 3_600;
  const minutes = Math.floor(rest / 60);
  rest -= minutes * 60;
  const text = [hours && `${hours}h`, minutes && `${minutes}m`, rest && `${rest}s`]
    .filter(Boolean)
    .join('');
  return text || '0s';
}

function pair(count: number, base: number, big: string, small: string): string {
  const rest = count % base;
  const head = `${Math.floor(count / base)} ${big}`;
  return rest === 0 ? head : `${head} ${String(rest).padStart(2, '0')} ${small}`;
}

function trim(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}

/** The server's duration without its empty parts, as a person would type it: 1h0m0s → 1h, 0s → "". */
export function formatGoDuration(text: string | null): string {
  const ms = text === null ? null : parseDuration(text);
  return ms ? toGoDuration(ms) : '';
}
