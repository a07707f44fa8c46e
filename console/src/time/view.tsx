import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { useViewer } from '@/session/context';
import { browserZone, isZone } from './format';

/** On which wall clock instants are shown: UTC, the person's own, or that of the job they belong to. */
export const timeViews = ['utc', 'browser', 'job'] as const;
export type TimeView = (typeof timeViews)[number];

interface TimeSettings {
  view: TimeView;
  setView: (view: TimeView) => void;
  /** The person's zone: the one chosen in the account, else the browser's. */
  ownZone: string;
}

const key = 'belfry.timeView';
const TimeContext = createContext<TimeSettings | null>(null);

export function TimeProvider({ children }: { children: ReactNode }) {
  const chosen = useViewer()?.timeZone ?? null;
  const [stored, setStored] = useState<TimeView | null>(() => storedView());
  const settings = useMemo<TimeSettings>(() => {
    const named = chosen !== null && chosen !== 'browser' && chosen !== 'UTC' && isZone(chosen);
    return {
      view: stored ?? (chosen === 'UTC' ? 'utc' : 'browser'),
      setView: (view) => {
        localStorage.setItem(key, view);
        setStored(view);
      },
      ownZone: named ? chosen : browserZone(),
    };
  }, [stored, chosen]);
  return <TimeContext value={settings}>{children}</TimeContext>;
}

export function useTimeSettings(): TimeSettings {
  const settings = useContext(TimeContext);
  if (!settings) throw new Error('useTimeSettings outside TimeProvider');
  return settings;
}

/** The zone in which to show an instant; jobZone is that of the job it belongs to, if any. */
export function useZone(jobZone?: string | null): string {
  const { view, ownZone } = useTimeSettings();
  if (view === 'utc') return 'UTC';
  if (view === 'job') return jobZone && isZone(jobZone) ? jobZone : 'UTC';
  return ownZone;
}

function storedView(): TimeView | null {
  const value = localStorage.getItem(key);
  return timeViews.find((v) => v === value) ?? null;
}
