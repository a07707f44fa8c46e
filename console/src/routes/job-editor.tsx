import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from './root';
import { text } from './search';

/** A new job; `from` names the job it is a copy of. */
export const newJobRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/jobs/new',
  validateSearch: (raw: Record<string, unknown>): { from?: string | undefined } => ({
    from: text(raw, 'from', 64),
  }),
  component: lazyRouteComponent(() => import('./job-editor.page'), 'NewJobRoute'),
});

export const editJobRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/jobs/$jobId/edit',
  component: lazyRouteComponent(() => import('./job-editor.page'), 'EditJobRoute'),
});
