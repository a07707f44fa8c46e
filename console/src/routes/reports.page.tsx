import { getRouteApi } from '@tanstack/react-router';
import { ReportPage } from '@/features/reports/report-page';

const route = getRouteApi('/shell/reports');

/** Binds the report's app, day, time and zone to the address. */
export function ReportsRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <ReportPage
      search={search}
      onSearch={(change) =>
        void navigate({ search: (old) => ({ ...old, ...change }), resetScroll: false })
      }
    />
  );
}
