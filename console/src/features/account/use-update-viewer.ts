import { useTranslation } from 'react-i18next';
import { useMutationAction } from '@/graphql/use-action';
import { useSession } from '@/session/context';
import { UpdateViewer } from './queries';

/** Saves settings of the account; what the server answers is the viewer from then on. */
export function useUpdateViewer(saved: 'saved' | 'passwordSaved') {
  const { t } = useTranslation('account');
  const session = useSession();
  return useMutationAction(UpdateViewer, {
    pick: (data) => data.updateViewer,
    success: (payload) => {
      if (payload.viewer) session.setViewer(payload.viewer);
      return t(saved);
    },
    refusals: 'form',
  });
}
