import { text } from '@/routes/search';

/** What the address of the nodes page says. */
export interface NodesSearch {
  app?: string | undefined;
  group?: string | undefined;
  /** The node whose window is open. */
  node?: string | undefined;
}

export function readNodesSearch(raw: Record<string, unknown>): NodesSearch {
  return { app: text(raw, 'app', 64), group: text(raw, 'group', 64), node: text(raw, 'node', 64) };
}
