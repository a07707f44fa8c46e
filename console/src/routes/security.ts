import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from './root';

export const securityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/security',
  component: lazyRouteComponent(() => import('@/features/security/security-page'), 'SecurityPage'),
});
