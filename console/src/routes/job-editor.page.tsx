import { getRouteApi } from '@tanstack/react-router';
import { CreateJobPage } from '@/features/job-editor/create-job-page';
import { EditJobPage } from '@/features/job-editor/edit-job-page';

const newRoute = getRouteApi('/shell/jobs/new');
const editRoute = getRouteApi('/shell/jobs/$jobId/edit');

export function NewJobRoute() {
  const { from } = newRoute.useSearch();
  return <CreateJobPage key={from ?? ''} from={from ?? null} />;
}

export function EditJobRoute() {
  const { jobId } = editRoute.useParams();
  return <EditJobPage key={jobId} id={jobId} />;
}
