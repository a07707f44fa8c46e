import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readTokensSearch } from '@/features/tokens/search';
import { shellRoute } from './root';

export const tokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tokens',
  validateSearch: readTokensSearch,
  component: lazyRouteComponent(() => import('./tokens.page'), 'TokensRoute'),
});
