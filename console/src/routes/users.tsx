import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readUsersSearch } from '@/features/users/search';
import { shellRoute } from './root';

export const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users',
  validateSearch: readUsersSearch,
  component: lazyRouteComponent(() => import('./users.page'), 'UsersRoute'),
});

export const userRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users/$userId',
  component: lazyRouteComponent(() => import('./users.page'), 'UserRoute'),
});
