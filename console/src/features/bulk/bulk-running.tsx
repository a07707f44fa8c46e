import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import dialog from '@/components/ui/dialog.module.css';
import { ErrorLine, SlowHint } from '@/components/ui/states';
import type { BulkRowFragment } from '@/graphql/generated/graphql';
import own from './bulk.module.css';
import { Counts, ProgressBar } from './progress';
import { RefusalList } from './refusals';
import { StopButton } from './stop-button';
import { useBulk } from './use-bulk';

/** How many refusals the dialog names; the operation's page shows more. */
const named = 50;

interface BulkRunningProps {
  /** The operation as it was made. */
  made: BulkRowFragment;
  /** It has come to its end. */
  onEnded: () => void;
  onClose: () => void;
}

/** How far an operation is, in the dialog that made it. */
export function BulkRunning({ made, onEnded, onClose }: BulkRunningProps) {
  const { t } = useTranslation('bulk');
  const { t: tc } = useTranslation();
  const read = useBulk(made.id, named, made);
  const found = read.data?.bulkOperation;
  const bulk = found ?? made;
  const running = bulk.state === 'RUNNING';
  const tell = useEffectEvent(onEnded);
  useEffect(() => {
    if (!running) tell();
  }, [running]);
  return (
    <div className={dialog.stack}>
      {read.error ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      <p role="status">{t(`told.${bulk.state}`)}</p>
      <div>
        <ProgressBar bulk={bulk} label={t('column.progress')} />
        <Counts bulk={bulk} />
      </div>
      <RefusalList id={bulk.id} refusals={found?.refusals ?? []} count={Number(bulk.refused)} />
      {read.slow ? <SlowHint slow /> : null}
      <Group justify="space-between" gap={8}>
        <Link to="/bulk/$bulkId" params={{ bulkId: bulk.id }}>
          {t('itsPage')}
        </Link>
        <span className={own.buttons}>
          <StopButton bulk={bulk} atOnce />
          <Button autoFocus onClick={onClose}>
            {running ? t('background') : tc('actions.close')}
          </Button>
        </span>
      </Group>
    </div>
  );
}
