import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from './root';
import { text } from './search';

interface TaskSearch {
  /** Position of the log's line that the address points to. */
  line?: string | undefined;
}

export const taskRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tasks/$taskId',
  validateSearch: (raw: Record<string, unknown>): TaskSearch => {
    const line = text(raw, 'line', 20);
    return line && /^\d+$/.test(line) ? { line } : {};
  },
  component: lazyRouteComponent(() => import('./task.page'), 'TaskRoute'),
});
