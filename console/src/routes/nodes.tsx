import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readNodesSearch } from '@/features/nodes/search';
import { shellRoute } from './root';

export const nodesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/nodes',
  validateSearch: readNodesSearch,
  component: lazyRouteComponent(() => import('./nodes.page'), 'NodesRoute'),
});
