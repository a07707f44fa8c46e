import { getRouteApi } from '@tanstack/react-router';
import { JobPage } from '@/features/job/job-page';

const route = getRouteApi('/shell/jobs/$jobId');

export function JobRoute() {
  const { jobId } = route.useParams();
  return <JobPage key={jobId} id={jobId} />;
}
