import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readAuditSearch } from '@/features/audit/search';
import { shellRoute } from './root';

export const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./audit.page'), 'AuditRoute'),
});
