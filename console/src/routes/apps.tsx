import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from './root';

export const appsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/apps',
  component: lazyRouteComponent(() => import('./apps.page'), 'AppsRoute'),
});

export const appRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/apps/$appName',
  component: lazyRouteComponent(() => import('./apps.page'), 'AppRoute'),
});
