export interface Change {
  field: string;
  before: string | null;
  after: string | null;
}

/** The fields that a change has touched, by name; a side is null when nothing was there. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const was = isRecord(before) ? before : {};
  const is = isRecord(after) ? after : {};
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .sort()
    .map((field) => ({ field, before: shown(was[field]), after: shown(is[field]) }));
}

function shown(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
