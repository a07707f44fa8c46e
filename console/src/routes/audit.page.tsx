import { getRouteApi } from '@tanstack/react-router';
import { AuditPage } from '@/features/audit/audit-page';

const route = getRouteApi('/shell/audit');

/** Binds the audit trail to the address. */
export function AuditRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <AuditPage
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
