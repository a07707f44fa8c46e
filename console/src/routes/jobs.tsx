import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readJobsSearch } from '@/features/jobs/search';
import { shellRoute } from './root';

export const jobsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/jobs',
  validateSearch: readJobsSearch,
  component: lazyRouteComponent(() => import('./jobs.page'), 'JobsRoute'),
});
