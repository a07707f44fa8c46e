import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from 'urql';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { useToast } from '@/components/ui/toast';
import { describeError } from '@/graphql/error';
import type { Deed } from './deeds';
import { inParallel } from './in-parallel';
import classes from './incidents.module.css';
import { AcknowledgeIncident, ResolveIncident } from './queries';

export interface Doing {
  deed: Deed;
  incidents: readonly { id: string; title: string }[];
}

/** How many requests of a bulk deed are on their way at once. */
const atOnce = 4;

/** Answers why it was refused, or null. */
function useDeed(): (deed: Deed, id: string, comment: string | null) => Promise<string | null> {
  const client = useClient();
  const { t } = useTranslation();
  return async (deed, id, comment) => {
    const sent =
      deed === 'acknowledge'
        ? await client.mutation(AcknowledgeIncident, { id, comment }).toPromise()
        : await client.mutation(ResolveIncident, { id, comment }).toPromise();
    if (sent.error) return describeError(sent.error).message || t('error.network');
    const data = sent.data as
      | Record<string, { userErrors: readonly { message: string }[] }>
      | undefined;
    return Object.values(data ?? {})[0]?.userErrors[0]?.message ?? null;
  };
}

/** Takes incidents on, or closes them, with a word for the others. */
export function DeedDialog({ doing, onClose }: { doing: Doing | null; onClose: () => void }) {
  const { t } = useTranslation('alerts');
  const run = useDeed();
  const toast = useToast();
  const [comment, setComment] = useState('');
  const [busy, setBusy] = useState(false);
  const [refusals, setRefusals] = useState<readonly { id: string; title: string; why: string }[]>(
    [],
  );
  // What was refused is asked again alone: the others are done.
  const targets = refusals.length > 0 ? refusals : (doing?.incidents ?? []);
  const deed = doing?.deed ?? 'acknowledge';
  const close = () => {
    // Requests that are on their way cannot be called back: their outcome is waited for.
    if (busy) return;
    setComment('');
    setRefusals([]);
    onClose();
  };
  const confirm = async () => {
    if (busy) return;
    setBusy(true);
    const refused: { id: string; title: string; why: string }[] = [];
    await inParallel(targets, atOnce, async ({ id, title }) => {
      const why = await run(deed, id, comment.trim() || null);
      if (why) refused.push({ id, title, why });
    });
    setBusy(false);
    const went = targets.length - refused.length;
    if (went > 0) toast.done(t(`did.${deed}`, { count: went }));
    setRefusals(refused);
    if (refused.length > 0) return;
    setComment('');
    onClose();
  };
  return (
    <ConfirmDialog
      opened={doing !== null}
      onClose={close}
      title={t(`ask.${deed}`, { count: targets.length })}
      confirm={t(`deed.${deed}`)}
      busy={busy}
      onConfirm={() => void confirm()}
    >
      {targets.length === 1 ? <p className={classes.what}>{targets[0]?.title}</p> : null}
      <p>{t(`explain.${deed}`)}</p>
      <Textarea
        data-autofocus
        autosize
        minRows={2}
        maxLength={1000}
        label={t('comment.optional')}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      {refusals.length > 0 ? (
        <ul className={classes.refused} role="alert">
          {refusals.map(({ id, title, why }) => (
            <li key={id}>
              <strong>{title}</strong>
              <span>{why}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </ConfirmDialog>
  );
}
