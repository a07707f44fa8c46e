import { jobRoute } from './job';
import { jobsRoute } from './jobs';
import { rootRoute, shellRoute } from './root';
import { signInRoute } from './sign-in';
import { welcomeRoute } from './welcome';

/** Every page. A route file holds the address and its search schema; the page itself is loaded when needed. */
export const routeTree = rootRoute.addChildren([
  signInRoute,
  welcomeRoute,
  shellRoute.addChildren([jobsRoute, jobRoute]),
]);
