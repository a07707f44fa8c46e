import { getRouteApi } from '@tanstack/react-router';
import { JobsPage } from '@/features/jobs/jobs-page';

const route = getRouteApi('/shell/jobs');

/** Binds the jobs list to the address. */
export function JobsRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <JobsPage
      search={search}
      onSearch={(change) =>
        void navigate({
          search: (old) => ({ ...old, after: undefined, ...change }),
          // Typing in the search field must not fill the browser's history.
          replace: 'q' in change,
        })
      }
    />
  );
}
