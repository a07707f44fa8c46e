import type { AlertScopeKind } from '@/graphql/generated/enums';
import type { AlertScopeInput, ScopeFieldsFragment } from '@/graphql/generated/graphql';

/** A scope as the form holds it; what the kind does not need is kept while one looks at another. */
export interface ScopeForm {
  kind: AlertScopeKind;
  app: string;
  group: string;
  job: { id: string; label: string } | null;
  /** Lines of name=value. */
  labels: string;
}

export const everything: ScopeForm = { kind: 'ALL', app: '', group: '', job: null, labels: '' };

/** "team=payments, tier=1" */
export function labelsText(labels: unknown, join = ', '): string {
  if (typeof labels !== 'object' || labels === null) return '';
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(join);
}

export function scopeForm(scope: ScopeFieldsFragment): ScopeForm {
  return {
    kind: scope.kind,
    app: scope.app?.id ?? '',
    group: scope.group?.id ?? '',
    job: scope.job && { id: scope.job.id, label: `${scope.job.app.name} / ${scope.job.name}` },
    labels: labelsText(scope.labels, '\n'),
  };
}

/** What is sent: the kind with the one thing that it names. */
export function scopeInput(form: ScopeForm): AlertScopeInput {
  switch (form.kind) {
    case 'ALL':
      return { kind: 'ALL' };
    case 'APP':
      return { kind: 'APP', app: form.app || null };
    case 'GROUP':
      return { kind: 'GROUP', group: form.group || null };
    case 'JOB':
      return { kind: 'JOB', job: form.job?.id ?? null };
    case 'LABELS':
      return { kind: 'LABELS', labels: parseLabels(form.labels) };
  }
}

/** Labels from lines or commas; a name without a value stands for itself with an empty one. */
export function parseLabels(text: string): Record<string, string> {
  const pairs = text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line): [string, string] => {
      const at = line.indexOf('=');
      return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    });
  return Object.fromEntries(pairs);
}
