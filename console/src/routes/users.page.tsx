import { getRouteApi } from '@tanstack/react-router';
import { UserPage } from '@/features/users/user-page';
import { UsersPage } from '@/features/users/users-page';

const list = getRouteApi('/shell/users');
const one = getRouteApi('/shell/users/$userId');

/** Binds the accounts to the address. */
export function UsersRoute() {
  const search = list.useSearch();
  const navigate = list.useNavigate();
  return (
    <UsersPage
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

export function UserRoute() {
  const { userId } = one.useParams();
  return <UserPage key={userId} id={userId} />;
}
