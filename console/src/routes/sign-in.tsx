import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { type Refusal, refusals } from '@/features/auth/refusals';
import { rootRoute } from './root';
import { text } from './search';

/** Only addresses of our own: a link must not send people elsewhere after they signed in. */
function ownAddress(raw: Record<string, unknown>): string | undefined {
  const from = text(raw, 'from', 2_000);
  return from && /^\/(?![/\\])/.test(from) ? from : undefined;
}

interface SignInSearch {
  from?: string | undefined;
  refused?: Refusal | undefined;
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (raw: Record<string, unknown>): SignInSearch => ({
    from: ownAddress(raw),
    refused: refusals.find((each) => each === raw.refused),
  }),
  beforeLoad: async ({ context, search }) => {
    const viewer = await context.session.load();
    if (viewer) throw redirect({ href: search.from ?? '/' });
  },
  component: lazyRouteComponent(() => import('./sign-in.page'), 'SignInRoute'),
});
