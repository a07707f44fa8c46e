import { getRouteApi } from '@tanstack/react-router';
import { CalendarPage } from '@/features/calendars/calendar-page';
import { CalendarsPage } from '@/features/calendars/calendars-page';

const listRoute = getRouteApi('/shell/calendars');
const oneRoute = getRouteApi('/shell/calendars/$calendarId');

/** Binds the list of calendars to the address. */
export function CalendarsRoute() {
  const search = listRoute.useSearch();
  const navigate = listRoute.useNavigate();
  return (
    <CalendarsPage
      search={search}
      onSearch={(change) => void navigate({ search: (old) => ({ ...old, ...change }) })}
    />
  );
}

/** Binds one calendar and the year that is shown to the address. */
export function CalendarRoute() {
  const { calendarId } = oneRoute.useParams();
  const search = oneRoute.useSearch();
  const navigate = oneRoute.useNavigate();
  return (
    <CalendarPage
      key={calendarId}
      id={calendarId}
      search={search}
      // Turning over years must not fill the browser's history.
      onSearch={(change) => void navigate({ search: change, replace: true, resetScroll: false })}
    />
  );
}
