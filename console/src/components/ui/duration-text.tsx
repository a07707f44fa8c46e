import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDuration, parseDuration } from '@/time/duration';
import { useNow } from '@/time/now';

/** A length of time as the server sends it (1h30m, 250ms), in two units at most; the tooltip has it exactly. */
export function DurationText({ value }: { value: string | null | undefined }) {
  const { t } = useTranslation();
  if (!value) return <span>{t('duration.none')}</span>;
  const ms = parseDuration(value);
  return (
    <Tooltip label={value}>
      <span style={{ whiteSpace: 'nowrap' }}>{ms === null ? value : formatDuration(ms)}</span>
    </Tooltip>
  );
}

/** Time since an instant, counting: for what runs now. */
export function ElapsedText({ since }: { since: string }) {
  const now = useNow(1);
  const ms = Math.max(0, now.getTime() - Date.parse(since));
  return (
    <span style={{ whiteSpace: 'nowrap' }}>{formatDuration(Math.floor(ms / 1_000) * 1_000)}</span>
  );
}
