import type { UserErrorFragment } from './generated/graphql';

/**
 * Refusals by the form's fields. A refusal belongs to the longest path it begins with or
 * equals ("input.trigger.cron.expression"); what fits no field is kept for the form's head.
 */
export function fieldErrors<Path extends string>(
  errors: readonly UserErrorFragment[],
  paths: readonly Path[],
): { at: Partial<Record<Path, string>>; rest: string[] } {
  const at: Partial<Record<Path, string>> = {};
  const rest: string[] = [];
  const longestFirst = [...paths].sort((a, b) => b.length - a.length);
  for (const error of errors) {
    const path = (error.field ?? []).join('.');
    const home = longestFirst.find((p) => path === p || path.startsWith(`${p}.`));
    if (home === undefined) rest.push(error.message);
    else at[home] = at[home] ? `${at[home]} ${error.message}` : error.message;
  }
  return { at, rest };
}
