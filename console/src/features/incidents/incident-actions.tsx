import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '@/components/ui/action-button';
import { SilenceDialog } from '@/features/silences/silence-dialog';
import { scopeOfIncident } from '@/features/silences/silence-form';
import type { IncidentRowFragment } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { useCan } from '@/session/context';
import { DeedDialog } from './deed-dialog';
import { can } from './deeds';
import { UnacknowledgeIncident } from './queries';
import type { Ask } from './search';

interface IncidentActionsProps {
  incident: IncidentRowFragment;
  /** The dialog that the address asks for. */
  ask: Ask | undefined;
  onAsked: () => void;
}

/** Take it on or give it back, close it, silence it. */
export function IncidentActions({ incident, ask, onAsked }: IncidentActionsProps) {
  const { t } = useTranslation('alerts');
  const operator = useCan('OPERATOR');
  const [own, setOwn] = useState<Ask | null>(null);
  const over = incident.state === 'RESOLVED';
  const asked = operator && ask && (ask === 'silence' || can(ask, incident.state)) ? ask : null;
  const open = own ?? asked;
  const close = () => {
    setOwn(null);
    if (ask) onAsked();
  };
  const giveBack = useMutationAction(UnacknowledgeIncident, {
    pick: (data) => data.unacknowledgeIncident,
    success: () => t('givenBack'),
  });
  return (
    <>
      {incident.state === 'ACKNOWLEDGED' ? (
        <ActionButton
          atLeast="OPERATOR"
          icon="user"
          busy={giveBack.busy}
          onClick={() => void giveBack.run({ id: incident.id })}
        >
          {t('deed.unacknowledge')}
        </ActionButton>
      ) : (
        <ActionButton
          atLeast="OPERATOR"
          primary
          icon="user"
          reason={over ? t('cannot.acknowledge') : null}
          onClick={() => setOwn('acknowledge')}
        >
          {t('deed.acknowledge')}
        </ActionButton>
      )}
      <ActionButton
        atLeast="OPERATOR"
        icon="check"
        reason={over ? t('cannot.resolve') : null}
        onClick={() => setOwn('resolve')}
      >
        {t('deed.resolve')}
      </ActionButton>
      <ActionButton atLeast="OPERATOR" icon="silence" onClick={() => setOwn('silence')}>
        {t('deed.silence')}
      </ActionButton>
      <DeedDialog
        doing={open && open !== 'silence' ? { deed: open, incidents: [incident] } : null}
        onClose={close}
      />
      <SilenceDialog
        opened={open === 'silence'}
        scope={scopeOfIncident(incident)}
        rule={incident.rule ?? undefined}
        onClose={close}
      />
    </>
  );
}
