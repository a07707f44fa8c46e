import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { RevisionsSearch } from '@/features/job/revisions/revisions-page';
import { shellRoute } from './root';

/** A whole number from 1; absent for anything else. */
function version(raw: Record<string, unknown>, key: string): number | undefined {
  const value = Number(raw[key]);
  return Number.isSafeInteger(value) && value >= 1 && value < 2 ** 31 ? value : undefined;
}

/** The versions of a job: `show` is the one looked at, `with` the one it is compared with. */
export const jobRevisionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/jobs/$jobId/revisions',
  validateSearch: (raw: Record<string, unknown>): RevisionsSearch => ({
    show: version(raw, 'show'),
    with: version(raw, 'with'),
  }),
  component: lazyRouteComponent(() => import('./job-revisions.page'), 'JobRevisionsRoute'),
});
