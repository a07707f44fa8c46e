import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from './root';

export const taskRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tasks/$taskId',
  component: lazyRouteComponent(() => import('./task.page'), 'TaskRoute'),
});
