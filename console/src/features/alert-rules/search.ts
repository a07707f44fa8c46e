import { text } from '@/routes/search';

/** What the address of the list says. */
export interface RulesSearch {
  app?: string | undefined;
}

export function readRulesSearch(raw: Record<string, unknown>): RulesSearch {
  return { app: text(raw, 'app', 64) };
}

/** What the address of a new rule says: the job that it is to be about. */
export interface NewRuleSearch {
  job?: string | undefined;
}

export function readNewRuleSearch(raw: Record<string, unknown>): NewRuleSearch {
  return { job: text(raw, 'job', 64) };
}
