import { Tooltip, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLiveStatus } from '@/live/hooks';
import { useSession } from '@/session/context';
import classes from './shell.module.css';

/** Whether what is shown is live; a press stops and restarts the updates. */
export function LiveIndicator() {
  const { t } = useTranslation('shell');
  const { live } = useSession();
  const status = useLiveStatus();
  const paused = status === 'paused';
  const action = paused ? t('live.resume') : t('live.pause');
  return (
    <Tooltip label={action}>
      <UnstyledButton
        className={classes.live}
        data-status={status}
        aria-pressed={paused}
        onClick={() => (paused ? live.resume() : live.pause())}
      >
        <span className={classes.dot} />
        <span role="status">{t(`live.${status}`)}</span>
        <span className="bf-sr">{action}</span>
      </UnstyledButton>
    </Tooltip>
  );
}
