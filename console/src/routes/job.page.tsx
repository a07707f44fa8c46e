import { getRouteApi } from '@tanstack/react-router';
import { JobPage } from '@/features/job/job-page';

const route = getRouteApi('/shell/jobs/$jobId');

export function JobRoute() {
  const { jobId } = route.useParams();
  const { why } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <JobPage
      key={jobId}
      id={jobId}
      why={why}
      onWhy={(at) => void navigate({ search: { why: at }, resetScroll: false })}
    />
  );
}
