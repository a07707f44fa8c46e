import { useTranslation } from 'react-i18next';
import en from '@/i18n/locales/en/audit.json';
import { type AuditKind, auditKinds } from './search';

type Verb = keyof typeof en.verb;

/** The words of kinds and actions; what this console does not know is shown as it is. */
export function useWords() {
  const { t } = useTranslation('audit');
  const kind = (name: string) => {
    const known = auditKinds.find((each): each is AuditKind => each === name);
    return known ? t(`kind.${known}`) : name;
  };
  const action = (name: string) => {
    const [of = '', ...rest] = name.split('.');
    const verb = rest.join('_');
    return verb in en.verb
      ? t('actionOf', {
          kind: of === 'session' || of === 'app_key' ? t(`other.${of}`) : kind(of),
          verb: t(`verb.${verb as Verb}`),
        })
      : name;
  };
  return { kind, action };
}
