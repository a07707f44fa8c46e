import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readReportSearch } from '@/features/reports/search';
import { shellRoute } from './root';

export const reportsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reports',
  validateSearch: readReportSearch,
  component: lazyRouteComponent(() => import('./reports.page'), 'ReportsRoute'),
});
