import { getRouteApi } from '@tanstack/react-router';
import { TaskPage } from '@/features/task/task-page';

const route = getRouteApi('/shell/tasks/$taskId');

export function TaskRoute() {
  const { taskId } = route.useParams();
  const { line } = route.useSearch();
  return <TaskPage key={taskId} id={taskId} line={line ?? null} />;
}
