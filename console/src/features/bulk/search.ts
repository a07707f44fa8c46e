import { text } from '@/routes/search';

/** What the address of the list of bulk operations says. */
export interface BulksSearch {
  after?: string | undefined;
}

export function readBulksSearch(raw: Record<string, unknown>): BulksSearch {
  return { after: text(raw, 'after') };
}
