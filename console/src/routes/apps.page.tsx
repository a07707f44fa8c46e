import { getRouteApi } from '@tanstack/react-router';
import { AppPage } from '@/features/apps/app-page';
import { AppsPage } from '@/features/apps/apps-page';

const route = getRouteApi('/shell/apps/$appName');

export function AppsRoute() {
  return <AppsPage />;
}

export function AppRoute() {
  const { appName } = route.useParams();
  return <AppPage key={appName} name={appName} />;
}
