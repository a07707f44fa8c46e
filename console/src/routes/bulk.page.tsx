import { getRouteApi } from '@tanstack/react-router';
import { BulkPage } from '@/features/bulk/bulk-page';
import { BulksPage } from '@/features/bulk/bulks-page';

const list = getRouteApi('/shell/bulk');
const one = getRouteApi('/shell/bulk/$bulkId');

export function BulksRoute() {
  const search = list.useSearch();
  const navigate = list.useNavigate();
  return <BulksPage search={search} onSearch={(next) => void navigate({ search: next })} />;
}

export function BulkRoute() {
  const { bulkId } = one.useParams();
  return <BulkPage key={bulkId} id={bulkId} />;
}
