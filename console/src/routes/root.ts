import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { Shell } from '@/app/shell';
import type { Session } from '@/session/session';
import { ShellPending } from './fallbacks';

export const rootRoute = createRootRouteWithContext<{ session: Session }>()();

/** Parent of every page that needs someone signed in. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  pendingComponent: ShellPending,
  beforeLoad: async ({ context, location }) => {
    const viewer = await context.session.load();
    if (!viewer) {
      throw redirect({
        to: '/sign-in',
        search: location.href === '/' ? {} : { from: location.href },
      });
    }
  },
});
