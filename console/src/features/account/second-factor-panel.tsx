import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Fact, Facts } from '@/components/ui/facts';
import { FormDialog } from '@/components/ui/form-dialog';
import { Panel } from '@/components/ui/page';
import { ErrorState, Notice, SkeletonLines } from '@/components/ui/states';
import { TimeText } from '@/components/ui/time-text';
import type { SecondFactorFieldsFragment } from '@/graphql/generated/graphql';
import { useRead } from '@/graphql/use-read';
import classes from './account.module.css';
import { SecondFactorQuery } from './queries';
import { RemoveDialog, RenewDialog } from './second-factor-dialogs';
import { SetUpDialog } from './second-factor-set-up';

type Open = 'setUp' | 'renew' | 'remove' | null;

/** The second factor of whoever is signed in: set up, new recovery codes, remove. */
export function SecondFactorPanel() {
  const { t } = useTranslation('account');
  const read = useRead({ query: SecondFactorQuery, variables: {} });
  const [open, setOpen] = useState<Open>(null);
  const close = () => {
    setOpen(null);
    read.refetch();
  };
  const factor = read.data?.secondFactor;
  return (
    <Panel title={t('factor.title')}>
      {factor ? (
        <State factor={factor} onOpen={setOpen} />
      ) : read.error ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : (
        <SkeletonLines lines={3} />
      )}
      <FormDialog opened={open === 'setUp'} onClose={close} title={t('factor.setUp')}>
        <SetUpDialog onClose={close} />
      </FormDialog>
      <FormDialog opened={open === 'renew'} onClose={close} title={t('factor.renew')}>
        <RenewDialog onClose={close} />
      </FormDialog>
      <FormDialog opened={open === 'remove'} onClose={close} title={t('factor.remove')}>
        <RemoveDialog required={factor?.required === true} onClose={close} />
      </FormDialog>
    </Panel>
  );
}

function State(props: {
  factor: SecondFactorFieldsFragment;
  onOpen: (open: Exclude<Open, null>) => void;
}) {
  const { t } = useTranslation('account');
  const { factor } = props;
  if (!factor.since) {
    return (
      <div className={classes.form}>
        <p>{t('factor.hint')}</p>
        {factor.available ? (
          <div>
            <Button onClick={() => props.onOpen('setUp')}>{t('factor.setUp')}</Button>
          </div>
        ) : (
          <Notice tone="info">{t('factor.unavailable')}</Notice>
        )}
      </div>
    );
  }
  return (
    <div className={classes.form}>
      <Facts>
        <Fact label={t('factor.since')}>
          <TimeText at={factor.since} />
        </Fact>
        <Fact label={t('factor.left')}>{factor.recoveryCodesLeft}</Fact>
      </Facts>
      {factor.recoveryCodesLeft < 3 ? <Notice tone="retry">{t('factor.few')}</Notice> : null}
      <Group gap={8}>
        <Button variant="default" onClick={() => props.onOpen('renew')}>
          {t('factor.renew')}
        </Button>
        <Button variant="default" onClick={() => props.onOpen('remove')}>
          {t('factor.remove')}
        </Button>
      </Group>
    </div>
  );
}
