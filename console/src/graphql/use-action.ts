import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AnyVariables, type DocumentInput, useMutation } from 'urql';
import { type ToastLink, useToast } from '@/components/ui/toast';
import { describeError } from './error';
import { graphql } from './generated';
import type { UserErrorFragment } from './generated/graphql';

export const UserErrorFields = graphql(`
  fragment UserError on UserError {
    code
    field
    message
  }
`);

interface Payload {
  userErrors: readonly UserErrorFragment[];
}

interface ActionOptions<Data, P extends Payload> {
  /** Takes the mutation's payload out of the answer. */
  pick: (data: Data) => P;
  /** Text of the toast after success, with a link to what was made if any; null for none. */
  success?: (payload: P) => string | { text: string; link?: ToastLink | undefined } | null;
  /** Where refusals go: a toast (row actions) or only the answer and `userErrors` (forms). */
  refusals?: 'toast' | 'form';
}

/** Outcome of a call: the payload when it went through, else null and the reasons. */
export interface ActionResult<P> {
  payload: P | null;
  userErrors: readonly UserErrorFragment[];
}

/**
 * A mutation as an action: run it, get the payload or the reasons. Faults and, for row
 * actions, refusals are shown as a toast with the server's sentence.
 */
export function useMutationAction<Data, Variables extends AnyVariables, P extends Payload>(
  query: DocumentInput<Data, Variables>,
  options: ActionOptions<Data, P>,
) {
  const { t } = useTranslation();
  const toast = useToast();
  const [state, execute] = useMutation<Data, Variables>(query);
  const [userErrors, setUserErrors] = useState<readonly UserErrorFragment[]>([]);

  const run = async (variables: Variables): Promise<ActionResult<P>> => {
    setUserErrors([]);
    const result = await execute(variables);
    if (result.error || !result.data) {
      const fault = result.error ? describeError(result.error) : null;
      if (fault?.code === 'UNAUTHENTICATED') return { payload: null, userErrors: [] };
      const detail = fault?.requestId ? t('error.request', { id: fault.requestId }) : undefined;
      const message = fault?.message || t('error.network');
      toast.fail(message, detail);
      return { payload: null, userErrors: [] };
    }
    const payload = options.pick(result.data);
    if (payload.userErrors.length > 0) {
      setUserErrors(payload.userErrors);
      if (options.refusals !== 'form') {
        for (const refusal of payload.userErrors) toast.fail(refusal.message);
      }
      return { payload: null, userErrors: payload.userErrors };
    }
    const said = options.success?.(payload);
    if (typeof said === 'string') toast.done(said);
    else if (said) toast.done(said.text, said.link);
    return { payload, userErrors: [] };
  };

  return { run, busy: state.fetching, userErrors, clear: () => setUserErrors([]) };
}
