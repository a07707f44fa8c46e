import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from './root';
import { instant } from './search';

/** A job; `why` is an instant at which it was expected to run. */
export const jobRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/jobs/$jobId',
  validateSearch: (raw: Record<string, unknown>): { why?: string | undefined } => ({
    why: instant(raw, 'why'),
  }),
  component: lazyRouteComponent(() => import('./job.page'), 'JobRoute'),
});
