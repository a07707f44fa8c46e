import { memo, useMemo } from 'react';
import { type Weekday, weekdayValues } from '@/graphql/generated/enums';
import { useZone } from '@/time/view';
import type { PreviewState } from '../use-preview';
import type { ForecastInput } from './forecast';
import { ForecastPanel } from './forecast-panel';

interface ForecastProps {
  /** The job's zone; null when its trigger has none. */
  zone: string | null;
  state: PreviewState;
  /** Weekdays at rest in the job's calendar. */
  restDays: readonly Weekday[];
}

/**
 * The strip of what a trigger would do; nothing while it has no fires to show. It renders again
 * only with a new answer, not with every keystroke in the form.
 */
export const Forecast = memo(function Forecast({ zone, state, restDays }: ForecastProps) {
  const own = useZone();
  const { preview, isCut } = state;
  const input = useMemo<ForecastInput | null>(
    () =>
      !preview || preview.error || preview.fires.length + preview.excluded.length === 0
        ? null
        : {
            fires: preview.fires,
            isCut,
            clockChanges: preview.clockChanges,
            restDays: preview.restDays,
            restWeekdays: restDays.map((day) => weekdayValues.indexOf(day)),
            excluded: preview.excluded,
          },
    [preview, isCut, restDays],
  );
  return input ? <ForecastPanel zone={zone ?? own} input={input} /> : null;
});
