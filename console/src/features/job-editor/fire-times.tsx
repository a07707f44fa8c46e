import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { fullTime, relativeTime } from '@/time/format';
import { useNow } from '@/time/now';
import { useTimeSettings } from '@/time/view';
import classes from './editor.module.css';

/** The next fires on each clock that matters: UTC, the job's and the reader's own; the same clock only once. */
export function FireTimes({ fires, zone }: { fires: readonly string[]; zone: string | null }) {
  const { t, i18n } = useTranslation('editor');
  const { t: tc } = useTranslation();
  const { ownZone } = useTimeSettings();
  const now = useNow(20);
  const clocks = [
    ...(zone !== null && zone !== 'UTC' ? [{ label: tc('time.job'), zone }] : []),
    ...(ownZone !== 'UTC' && ownZone !== zone
      ? [{ label: tc('time.browser'), zone: ownZone }]
      : []),
    { label: tc('time.utc'), zone: 'UTC' },
  ];
  // Whole minutes need no seconds, and the narrow column no year while it is this one.
  const whole = fires.every((at) => new Date(at).getUTCSeconds() === 0);
  const write = (at: string, inZone: string) => {
    const text = fullTime(new Date(at), inZone);
    const short = text.slice(0, 4) === fullTime(now, inZone).slice(0, 4) ? text.slice(5) : text;
    return whole ? short.slice(0, -3) : short;
  };
  return (
    <div className={classes.fires}>
      <table aria-label={t('preview.fires')}>
        <thead>
          <tr>
            {clocks.map((clock) => (
              <th key={clock.zone} scope="col">
                {clock.label}
                {clock.zone === 'UTC' ? null : <span>{clock.zone}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fires.map((at) => (
            <Tooltip key={at} label={relativeTime(new Date(at), now, i18n.language)}>
              <tr>
                {clocks.map((clock) => (
                  <td key={clock.zone}>
                    <time dateTime={at}>{write(at, clock.zone)}</time>
                  </td>
                ))}
              </tr>
            </Tooltip>
          ))}
        </tbody>
      </table>
    </div>
  );
}
