import type { FigureFieldsFragment } from '@/graphql/generated/graphql';

/** The figures in their order on the page. */
export const figureNames = [
  'ran',
  'succeeded',
  'failed',
  'recovered',
  'takenOver',
  'late',
  'missed',
  'running',
  'slower',
] as const;
export type FigureName = (typeof figureNames)[number];

/** Figures of which more is worse; of the others a change is only a change. */
const bad: ReadonlySet<FigureName> = new Set(['failed', 'takenOver', 'late', 'missed']);

/** They are not counted for the week. */
const ofNow: ReadonlySet<FigureName> = new Set(['running', 'slower']);

export interface Compared {
  name: FigureName;
  now: number;
  /** Mean of a day of the week before; null when that is not counted. */
  usual: number | null;
  /** Share by which it differs, -1 and up; null when there was nothing to compare with. */
  change: number | null;
  /** It is bad, and clearly worse than usual. */
  worse: boolean;
}

/** Sets each figure against its mean of the week before. */
export function compare(now: FigureFieldsFragment, week: FigureFieldsFragment): Compared[] {
  return figureNames.map((name) => {
    const value = Number(now[name]);
    if (ofNow.has(name)) return { name, now: value, usual: null, change: null, worse: false };
    const usual = Number(week[name]);
    return {
      name,
      now: value,
      usual,
      change: usual === 0 ? null : (value - usual) / usual,
      worse: bad.has(name) && value > 0 && value > usual * 1.2,
    };
  });
}
