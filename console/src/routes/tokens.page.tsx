import { getRouteApi } from '@tanstack/react-router';
import { TokensPage } from '@/features/tokens/tokens-page';

const route = getRouteApi('/shell/tokens');

/** Binds the API tokens to the address. */
export function TokensRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <TokensPage
      search={search}
      onSearch={(change) =>
        void navigate({
          search: (old) => ({ ...old, after: undefined, ...change }),
          replace: 'q' in change,
        })
      }
    />
  );
}
