import { useTranslation } from 'react-i18next';
import classes from './nodes.module.css';

/** Used slots as a bar with its numbers; lingering ones are those of attempts that are not the node's any more. */
export function SlotBar({
  running,
  slots,
  lingering = 0,
}: {
  running: number;
  slots: number;
  lingering?: number;
}) {
  const { t } = useTranslation('nodes');
  const share = (n: number) => (slots > 0 ? Math.min(100, (100 * n) / slots) : 0);
  return (
    <span className={classes.slots}>
      <span className={classes.track} aria-hidden="true">
        <span className={classes.fill} style={{ width: `${share(running - lingering)}%` }} />
        <span className={classes.fillLost} style={{ width: `${share(lingering)}%` }} />
      </span>
      {t('slotsUsed', { running, slots })}
    </span>
  );
}
