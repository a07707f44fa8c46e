import { getRouteApi } from '@tanstack/react-router';
import { BackfillPage } from '@/features/backfill/backfill-page';

const route = getRouteApi('/shell/backfills/$backfillId');

export function BackfillRoute() {
  const { backfillId } = route.useParams();
  return <BackfillPage key={backfillId} id={backfillId} />;
}
