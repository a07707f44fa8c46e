import { getRouteApi } from '@tanstack/react-router';
import { DeliveriesPage } from '@/features/deliveries/deliveries-page';

const deliveriesRoute = getRouteApi('/shell/alerts/deliveries');

/** Binds the list of messages, and the one that is looked at, to the address. */
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
