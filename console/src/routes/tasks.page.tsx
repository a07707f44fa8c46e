import { getRouteApi } from '@tanstack/react-router';
import { TasksPage } from '@/features/tasks/tasks-page';

const route = getRouteApi('/shell/tasks');

/** Binds the tasks list to the address. */
export function TasksRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <TasksPage
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
