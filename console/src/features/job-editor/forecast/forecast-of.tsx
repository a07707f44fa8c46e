import { memo, useMemo } from 'react';
import { useZone } from '@/time/view';
import type { PreviewState } from '../use-preview';
import type { ForecastInput } from './forecast';
import { ForecastPanel } from './forecast-panel';

interface ForecastProps {
  /** The job's zone; null when its trigger has none. */
  zone: string | null;
  state: PreviewState;
}

/**
 * The strip of what a trigger would do; nothing while it has no fires to show. It renders again
 * only with a new answer, not with every keystroke in the form.
 */
export const Forecast = memo(function Forecast({ zone, state }: ForecastProps) {
  const own = useZone();
  const { preview, isCut } = state;
  const input = useMemo<ForecastInput | null>(
    () =>
      !preview || preview.error || preview.fires.length === 0
        ? null
        : { fires: preview.fires, isCut, clockChanges: [], restDays: [], excluded: [] },
    [preview, isCut],
  );
  return input ? <ForecastPanel zone={zone ?? own} input={input} /> : null;
});
