import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readDeliveriesSearch } from '@/features/deliveries/search';
import { shellRoute } from './root';

/** The first of the pages about alerts. */
export const alertsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts',
  beforeLoad: () => {
    throw redirect({ to: '/alerts/deliveries', replace: true });
  },
});

export const deliveriesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts/deliveries',
  validateSearch: readDeliveriesSearch,
  component: lazyRouteComponent(() => import('./alerts.page'), 'DeliveriesRoute'),
});
