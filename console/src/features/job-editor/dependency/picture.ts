/** A job of the picture. */
export interface PictureJob {
  id: string;
  name: string;
  app: string;
}

/** Who waits for whom, as far as it is drawn: two levels each way. */
export interface Neighbours {
  /** The job in the middle; its id is null while it is not created. */
  self: { id: string | null; name: string };
  upstream: readonly (PictureJob & { upstream: readonly PictureJob[] })[];
  downstream: readonly (PictureJob & { downstream: readonly PictureJob[] })[];
}

export interface Node {
  key: string;
  /** Null for the job in the middle and for a rest that is only counted. */
  job: PictureJob | null;
  /** How many jobs are not drawn; 0 for a job. */
  rest: number;
  isSelf: boolean;
  x: number;
  y: number;
}

export interface Edge {
  key: string;
  from: Node;
  to: Node;
}

export interface Picture {
  nodes: Node[];
  edges: Edge[];
  width: number;
  height: number;
}

export const size = { width: 164, height: 40, gapX: 44, gapY: 12 } as const;
/** Most jobs of a column; the others are counted. */
export const most = 6;

/** One level of the picture, from the first job to the last; null is the job in the middle. */
export type Layer =
  | { id: 'self'; jobs: null }
  | { id: 'farUp' | 'up' | 'down' | 'farDown'; jobs: readonly PictureJob[] };

/** The levels that have jobs. A job that appears on two stands on the one nearer to the middle. Pure. */
export function layersOf(all: Neighbours): Layer[] {
  const seen = new Set(all.self.id === null ? [] : [all.self.id]);
  const fresh = (jobs: readonly PictureJob[]) =>
    jobs.filter((job) => !seen.has(job.id) && seen.add(job.id));
  const up = fresh(all.upstream);
  const down = fresh(all.downstream);
  const layers: Layer[] = [
    { id: 'farUp', jobs: fresh(all.upstream.flatMap((job) => job.upstream)) },
    { id: 'up', jobs: up },
    { id: 'self', jobs: null },
    { id: 'down', jobs: down },
    { id: 'farDown', jobs: fresh(all.downstream.flatMap((job) => job.downstream)) },
  ];
  return layers.filter(({ jobs }) => jobs === null || jobs.length > 0);
}

/**
 * Lays the neighbours out in up to five columns, upstream at the left; every column is centred. Pure.
 */
export function layOutNeighbours(all: Neighbours): Picture {
  const columns = layersOf(all).map((layer) => layer.jobs);
  const rows = Math.max(1, ...columns.map((c) => (c ? Math.min(c.length, most + 1) : 1)));
  const height = rows * (size.height + size.gapY) - size.gapY;
  const nodes = columns.flatMap((column, i) => place(column, i, height));
  return {
    nodes,
    edges: edgesOf(all, nodes),
    width: columns.length * (size.width + size.gapX) - size.gapX,
    height,
  };
}

function place(column: readonly PictureJob[] | null, index: number, height: number): Node[] {
  const shown = column?.slice(0, most) ?? [];
  const rest = (column?.length ?? 0) - shown.length;
  const base = { rest: 0, isSelf: false, x: index * (size.width + size.gapX), y: 0 };
  const nodes: Node[] =
    column === null
      ? [{ ...base, key: 'self', job: null, isSelf: true }]
      : shown.map((job) => ({ ...base, key: job.id, job }));
  if (rest > 0) nodes.push({ ...base, key: `rest-${index}`, job: null, rest });
  const own = nodes.length * (size.height + size.gapY) - size.gapY;
  return nodes.map((node, i) => ({
    ...node,
    y: (height - own) / 2 + i * (size.height + size.gapY),
  }));
}

function edgesOf(all: Neighbours, nodes: readonly Node[]): Edge[] {
  const find = (id: string) =>
    nodes.find((n) => (id === all.self.id && n.isSelf) || n.job?.id === id);
  const self = nodes.find((n) => n.isSelf);
  const pairs: [Node | undefined, Node | undefined][] = [
    ...all.upstream.flatMap((job) => [
      [find(job.id), self] as [Node | undefined, Node | undefined],
      ...job.upstream.map((far): [Node | undefined, Node | undefined] => [
        find(far.id),
        find(job.id),
      ]),
    ]),
    ...all.downstream.flatMap((job) => [
      [self, find(job.id)] as [Node | undefined, Node | undefined],
      ...job.downstream.map((far): [Node | undefined, Node | undefined] => [
        find(job.id),
        find(far.id),
      ]),
    ]),
  ];
  const edges = new Map<string, Edge>();
  for (const [from, to] of pairs) {
    if (!from || !to) continue;
    const key = `${from.key}>${to.key}`;
    edges.set(key, { key, from, to });
  }
  return [...edges.values()];
}

/** A name that fits so many narrow letters; wide ones, such as Chinese, count twice. */
export function shorten(text: string, letters: number): string {
  let used = 0;
  let short = '';
  for (const character of text) {
    used += /[\u2e80-\uffdc]/u.test(character) ? 2 : 1;
    if (used > letters) return `${short}…`;
    short += character;
  }
  return short;
}
