import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { ToastProvider } from '@/components/ui/toast';
import type { Session } from '@/session/session';
import { NotFoundPage, PagePending, RouteError } from './fallbacks';
import { routeTree } from './tree';

/** Builds the router; tests hand in a memory history. */
export function createAppRouter(session: Session, history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    context: { session },
    ...(history ? { history } : {}),
    defaultPreload: 'intent',
    defaultPendingMs: 150,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
    // Inside the router, since messages lead to pages, and around all pages, since they outlive them.
    InnerWrap: ToastProvider,
  });
  // The guard of the signed-in routes asks again and leads to the sign-in page.
  session.whenExpired(() => void router.invalidate());
  return router;
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
