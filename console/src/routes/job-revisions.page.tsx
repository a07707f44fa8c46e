import { getRouteApi } from '@tanstack/react-router';
import { RevisionsPage } from '@/features/job/revisions/revisions-page';

const route = getRouteApi('/shell/jobs/$jobId/revisions');

export function JobRevisionsRoute() {
  const { jobId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <RevisionsPage
      key={jobId}
      id={jobId}
      search={search}
      onSearch={(next) => void navigate({ search: next, resetScroll: false })}
    />
  );
}
