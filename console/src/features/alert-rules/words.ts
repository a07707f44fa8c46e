import type { TFunction } from 'i18next';
import { weekText } from '@/features/calendars/week';
import type { RuleRowFragment } from '@/graphql/generated/graphql';
import { formatDuration, parseDuration } from '@/time/duration';
import { weekdayNames } from '@/time/week';
import { percent } from './conditions';

type Condition = RuleRowFragment['conditions'][number];

function readable(duration: string | null): string {
  const ms = duration === null ? null : parseDuration(duration);
  return ms === null ? (duration ?? '') : formatDuration(ms);
}

/** A condition on one line: "Retries exhausted, 3 of the last 5". */
export function conditionWords(c: Condition, t: TFunction<'rules'>, ta: TFunction<'alerts'>) {
  const parts: string[] = [ta(`event.${c.event}`)];
  if (c.rate) {
    parts.push(t('words.rate', { rate: percent(c.rate), window: readable(c.window) }));
    if (c.count > 1) parts.push(t('words.atLeast', { found: c.count }));
  } else if ((c.of ?? 1) > 1) parts.push(t('words.ends', { found: c.count, of: c.of }));
  else if (c.count > 1 && c.window) {
    parts.push(t('words.window', { found: c.count, window: readable(c.window) }));
  }
  if (c.longerThan) parts.push(t('words.longer', { length: readable(c.longerThan) }));
  if (c.factor) parts.push(t('words.factor', { factor: c.factor }));
  if (c.by) parts.push(t('words.by', { clock: c.by }));
  if (c.depth && c.depth !== '0') parts.push(t('words.depth', { depth: c.depth }));
  if (c.age) parts.push(t('words.age', { age: readable(c.age) }));
  return parts.join(t('words.and'));
}

/** The severities of a rule: "Critical 22:00–08:00, otherwise warning". */
export function severityWords(
  rule: Pick<RuleRowFragment, 'windows' | 'severity'>,
  language: string,
  t: TFunction<'rules'>,
  ta: TFunction<'alerts'>,
): string {
  const windows = rule.windows.map((w) => {
    const on = weekText(w.days, weekdayNames(language, 'short'), language);
    return `${ta(`severity.${w.severity}`)} ${on ? `${on} ` : ''}${w.from}–${w.to}`;
  });
  if (windows.length === 0) return ta(`severity.${rule.severity}`);
  return t('words.otherwise', {
    windows: windows.join(t('words.then')),
    severity: ta(`severity.${rule.severity}`),
  });
}
