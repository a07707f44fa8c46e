// Readers of search params: whatever stands in the address, a page gets a valid value or none.

type Raw = Record<string, unknown>;

/** A text of at most `max` characters; the router parses numbers and booleans, which are texts again here. */
export function text(raw: Raw, key: string, max = 500): string | undefined {
  const value = raw[key];
  const found = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof found === 'string' && found !== '' ? found.slice(0, max) : undefined;
}

/** One of the given values. */
export function oneOf<T extends string>(
  raw: Raw,
  key: string,
  values: readonly T[],
): T | undefined {
  return values.find((value) => value === raw[key]);
}

/** Those of the given values that stand in the address as a list or alone. */
export function someOf<T extends string>(
  raw: Raw,
  key: string,
  values: readonly T[],
): T[] | undefined {
  const given = Array.isArray(raw[key]) ? raw[key] : [raw[key]];
  const found = values.filter((value) => given.includes(value));
  return found.length > 0 ? found : undefined;
}

/** An instant in RFC 3339. */
export function instant(raw: Raw, key: string): string | undefined {
  const value = raw[key];
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined;
}
