/** A field that differs between two versions; null where a version has none. Values are JSON. */
export interface Change {
  field: string;
  before: string | null;
  after: string | null;
}

type Tree = Record<string, unknown>;

/** People's own keys: these stay whole, as on the server. */
const whole = new Set(['parameters', 'labels', 'routingRule']);

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function leaves(into: Map<string, string>, path: string, tree: Tree): void {
  for (const [name, value] of Object.entries(tree)) {
    const field = path + name;
    if (isTree(value) && !whole.has(field)) leaves(into, `${field}.`, value);
    else into.set(field, JSON.stringify(value));
  }
}

/** The fields in which two definitions differ, by name; the same rule as the server's. */
export function compare(before: unknown, after: unknown): Change[] {
  const [was, is] = [new Map<string, string>(), new Map<string, string>()];
  if (isTree(before)) leaves(was, '', before);
  if (isTree(after)) leaves(is, '', after);
  const names = [...new Set([...was.keys(), ...is.keys()])].sort();
  return names
    .filter((field) => was.get(field) !== is.get(field))
    .map((field) => ({
      field,
      before: was.get(field) ?? null,
      after: is.get(field) ?? null,
    }));
}

/** A line of a comparison of two texts. */
export interface DiffLine {
  kind: 'same' | 'gone' | 'new' | 'gap';
  text: string;
}

/** The most lines a side between the first and the last difference that are matched one by one. */
const mostMatched = 600;
/** Lines shown around a difference. */
const around = 3;

/** Compares two texts line by line; far from a difference lines are left out. */
export function compareLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before, after].map((text) => (text === '' ? [] : text.split('\n'))) as [
    string[],
    string[],
  ];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (
    tail < a.length - head &&
    tail < b.length - head &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  ) {
    tail++;
  }
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }));
  return withoutFar([
    ...same(a.slice(0, head)),
    ...matched(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(tail === 0 ? [] : a.slice(-tail)),
  ]);
}

function matched(a: string[], b: string[]): DiffLine[] {
  const gone = (text: string): DiffLine => ({ kind: 'gone', text });
  const added = (text: string): DiffLine => ({ kind: 'new', text });
  if (a.length > mostMatched || b.length > mostMatched) return [...a.map(gone), ...b.map(added)];
  // The length of the longest common rest of both, from each pair of lines on.
  const width = b.length + 1;
  const rest = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => rest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      rest[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const out: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push({ kind: 'same', text: a[i++] ?? '' });
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      out.push(gone(a[i++] ?? ''));
    } else out.push(added(b[j++] ?? ''));
  }
  return out;
}

function withoutFar(lines: DiffLine[]): DiffLine[] {
  const near = new Uint8Array(lines.length);
  lines.forEach((line, i) => {
    if (line.kind !== 'same') near.fill(1, Math.max(0, i - around), i + around + 1);
  });
  const out: DiffLine[] = [];
  lines.forEach((line, i) => {
    if (near[i]) out.push(line);
    else if (out.at(-1)?.kind !== 'gap') out.push({ kind: 'gap', text: '' });
  });
  return out;
}
