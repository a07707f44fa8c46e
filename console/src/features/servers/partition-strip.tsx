import { useTranslation } from 'react-i18next';
import { rangesText, type Shares } from './partitions';
import classes from './servers.module.css';

/** Who leads which of the 64 partitions: a cell each, and below it the same in words. */
export function PartitionStrip({ shares }: { shares: Shares }) {
  const { t } = useTranslation('servers');
  const { cells, owners, orphans } = shares;
  const words = owners.map(({ letter, server }) =>
    t('strip.part', { letter, name: server.name, ranges: rangesText(server.partitions) }),
  );
  if (orphans.length > 0) words.push(t('strip.nobodyPart', { ranges: rangesText(orphans) }));
  return (
    <>
      <div role="img" aria-label={`${t('strip.title')}. ${words.join('. ')}`}>
        <div className={classes.strip} aria-hidden="true">
          {cells.map((owner, i) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a partition is its number
              key={i}
              className={classes.cell}
              data-colour={owner ? owner.colour : 'none'}
              title={`${i}: ${owner?.server.name ?? t('strip.nobody')}`}
            >
              <small>{i}</small>
              {owner?.letter ?? '!'}
            </span>
          ))}
        </div>
      </div>
      <ul className={classes.legend} aria-label={t('strip.legend')}>
        {orphans.length > 0 ? (
          <li>
            <Mark colour="none" letter="!" />
            <span>
              <strong>{t('strip.nobody')}</strong> {t('strip.count', { count: orphans.length })}
              <span className={classes.ranges}>{rangesText(orphans)}</span>
            </span>
          </li>
        ) : null}
        {owners.map(({ server, letter, colour }) => (
          <li key={server.id}>
            <Mark colour={colour} letter={letter} />
            <span>
              <strong>{server.name}</strong> {t('strip.count', { count: server.partitions.length })}
              <span className={classes.ranges}>{rangesText(server.partitions)}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A server's letter on its colour, as in the cells. */
export function Mark({ colour, letter }: { colour: number | 'none'; letter: string }) {
  return (
    <span className={classes.mark} data-colour={colour} aria-hidden="true">
      {letter}
    </span>
  );
}
