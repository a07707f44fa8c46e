import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readDeliveriesSearch } from '@/features/deliveries/search';
import { readIncidentSearch, readIncidentsSearch } from '@/features/incidents/search';
import { readSilencesSearch } from '@/features/silences/search';
import { shellRoute } from './root';

export const incidentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts',
  validateSearch: readIncidentsSearch,
  component: lazyRouteComponent(() => import('./alerts.page'), 'IncidentsRoute'),
});

/** An incident; `do` names the dialog that a link in a message opens. */
export const incidentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts/incidents/$incidentId',
  validateSearch: readIncidentSearch,
  component: lazyRouteComponent(() => import('./alerts.page'), 'IncidentRoute'),
});

/** The short address that messages give. */
export const incidentLinkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/incidents/$incidentId',
  validateSearch: readIncidentSearch,
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/alerts/incidents/$incidentId', params, search, replace: true });
  },
});

export const silencesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts/silences',
  validateSearch: readSilencesSearch,
  component: lazyRouteComponent(() => import('./alerts.page'), 'SilencesRoute'),
});

export const deliveriesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts/deliveries',
  validateSearch: readDeliveriesSearch,
  component: lazyRouteComponent(() => import('./alerts.page'), 'DeliveriesRoute'),
});
