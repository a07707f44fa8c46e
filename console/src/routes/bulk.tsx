import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readBulksSearch } from '@/features/bulk/search';
import { shellRoute } from './root';

export const bulksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/bulk',
  validateSearch: readBulksSearch,
  component: lazyRouteComponent(() => import('./bulk.page'), 'BulksRoute'),
});

export const bulkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/bulk/$bulkId',
  component: lazyRouteComponent(() => import('./bulk.page'), 'BulkRoute'),
});
