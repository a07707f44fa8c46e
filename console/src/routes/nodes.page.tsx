import { getRouteApi } from '@tanstack/react-router';
import { NodesPage } from '@/features/nodes/nodes-page';

const route = getRouteApi('/shell/nodes');

/** Binds the nodes page to the address. */
export function NodesRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <NodesPage
      search={search}
      onSearch={(change) => void navigate({ search: (old) => ({ ...old, ...change }) })}
    />
  );
}
