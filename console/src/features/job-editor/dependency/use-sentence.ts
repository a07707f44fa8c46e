import { useTranslation } from 'react-i18next';
import { dependencyConditionValues } from '@/graphql/generated/enums';
import type { JobForm } from '../form';

/** What a dependency trigger does, in one sentence; null while no job is chosen. */
export function useSentence({ upstream, mode, window }: JobForm): string | null {
  const { t, i18n } = useTranslation('editor');
  if (upstream.length === 0) return null;
  const type = mode === 'ALL' ? 'conjunction' : 'disjunction';
  const list = new Intl.ListFormat(i18n.language, { type });
  const clauses = dependencyConditionValues.flatMap((on) => {
    const names = upstream.filter((job) => job.on === on).map((job) => job.name);
    if (names.length === 0) return [];
    // "X or Y has ended", but "X and Y have ended".
    const count = mode === 'ALL' ? names.length : 1;
    return [t(`dep.clause.${on}`, { count, names: list.format(names) })];
  });
  return t(`dep.sentence.${mode}.${window}`, { clauses: list.format(clauses) });
}
