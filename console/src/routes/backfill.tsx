import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from './root';

export const backfillRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/backfills/$backfillId',
  component: lazyRouteComponent(() => import('./backfill.page'), 'BackfillRoute'),
});
