import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from './root';

export const serversRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/servers',
  component: lazyRouteComponent(() => import('@/features/servers/servers-page'), 'ServersPage'),
});
