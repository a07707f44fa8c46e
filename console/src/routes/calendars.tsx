import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readCalendarSearch, readCalendarsSearch } from '@/features/calendars/search';
import { shellRoute } from './root';

export const calendarsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/calendars',
  validateSearch: readCalendarsSearch,
  component: lazyRouteComponent(() => import('./calendars.page'), 'CalendarsRoute'),
});

export const calendarRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/calendars/$calendarId',
  validateSearch: readCalendarSearch,
  component: lazyRouteComponent(() => import('./calendars.page'), 'CalendarRoute'),
});
