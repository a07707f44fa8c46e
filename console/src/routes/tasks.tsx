import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readTasksSearch } from '@/features/tasks/search';
import { shellRoute } from './root';

export const tasksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tasks',
  validateSearch: readTasksSearch,
  component: lazyRouteComponent(() => import('./tasks.page'), 'TasksRoute'),
});
