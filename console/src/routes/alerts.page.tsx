import { getRouteApi } from '@tanstack/react-router';
import { DeliveriesPage } from '@/features/deliveries/deliveries-page';
import { IncidentPage } from '@/features/incidents/incident-page';
import { IncidentsPage } from '@/features/incidents/incidents-page';
import { SilencesPage } from '@/features/silences/silences-page';

const listRoute = getRouteApi('/shell/alerts');
const oneRoute = getRouteApi('/shell/alerts/incidents/$incidentId');
const silencesRoute = getRouteApi('/shell/alerts/silences');
const deliveriesRoute = getRouteApi('/shell/alerts/deliveries');

/** Binds the list of incidents to the address. */
export function IncidentsRoute() {
  const search = listRoute.useSearch();
  const navigate = listRoute.useNavigate();
  return (
    <IncidentsPage
      search={search}
      onSearch={(change) =>
        void navigate({ search: (old) => ({ ...old, after: undefined, ...change }) })
      }
    />
  );
}

export function IncidentRoute() {
  const { incidentId } = oneRoute.useParams();
  const search = oneRoute.useSearch();
  const navigate = oneRoute.useNavigate();
  return (
    <IncidentPage
      key={incidentId}
      id={incidentId}
      ask={search.do}
      onAsked={() => void navigate({ search: {}, replace: true, resetScroll: false })}
    />
  );
}

export function SilencesRoute() {
  const search = silencesRoute.useSearch();
  const navigate = silencesRoute.useNavigate();
  return <SilencesPage search={search} onSearch={(change) => void navigate({ search: change })} />;
}

export function DeliveriesRoute() {
  const search = deliveriesRoute.useSearch();
  const navigate = deliveriesRoute.useNavigate();
  return (
    <DeliveriesPage
      search={search}
      onSearch={(change) =>
        void navigate({
          search: (old) => ({ ...old, after: undefined, ...change }),
          // Looking at one keeps the list where it is.
          resetScroll: !('notification' in change),
        })
      }
    />
  );
}
