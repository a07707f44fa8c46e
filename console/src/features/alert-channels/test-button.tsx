import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, ActionIconButton } from '@/components/ui/action-button';
import { DurationText } from '@/components/ui/duration-text';
import { Notice } from '@/components/ui/states';
import { useToast } from '@/components/ui/toast';
import type { TestAlertChannelMutation } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import classes from './channels.module.css';
import { TestChannel } from './queries';

export type TestAnswer = TestAlertChannelMutation['testAlertChannel'];

interface TestButtonProps {
  id: string;
  /** In a row of a table: an icon, and the answer as a message. */
  small?: boolean;
  onAnswer?: (answer: TestAnswer) => void;
}

/** Sends a message now, past the queue, and shows what the receiver answered. */
export function TestButton({ id, small = false, onAnswer }: TestButtonProps) {
  const { t } = useTranslation('channels');
  const toast = useToast();
  const action = useMutationAction(TestChannel, { pick: (data) => data.testAlertChannel });
  const run = async () => {
    const { payload } = await action.run({ id });
    if (!payload) return;
    onAnswer?.(payload);
    if (!small) return;
    if (payload.ok) toast.done(t('test.ok'));
    else toast.fail(t('test.failed'), payload.error ?? payload.response ?? undefined);
  };
  const shared = {
    atLeast: 'OPERATOR',
    icon: 'send',
    busy: action.busy,
    onClick: () => void run(),
  } as const;
  return small ? (
    <ActionIconButton {...shared} label={t('test.button')} />
  ) : (
    <ActionButton {...shared}>{t('test.button')}</ActionButton>
  );
}

/** The receiver's answer to the last test. */
export function TestResult({ answer }: { answer: TestAnswer | null }) {
  const { t } = useTranslation('channels');
  return (
    <div aria-live="polite" className={classes.live}>
      {answer ? (
        <Notice tone={answer.ok ? 'ok' : 'fail'}>
          <span>{t(answer.ok ? 'test.ok' : 'test.failed')}</span>{' '}
          {answer.status === null ? null : (
            <span>{t('test.status', { status: answer.status })}</span>
          )}{' '}
          {answer.duration ? <DurationText value={answer.duration} /> : null}
          {answer.error ? <p>{answer.error}</p> : null}
          {answer.response ? <code className={classes.response}>{answer.response}</code> : null}
        </Notice>
      ) : null}
    </div>
  );
}

/** Keeps the last answer of a channel's test. */
export function useTestAnswer() {
  return useState<TestAnswer | null>(null);
}
