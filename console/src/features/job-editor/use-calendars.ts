import { useQuery } from 'urql';
import type { CalendarOptionsQuery as Data } from '@/graphql/generated/graphql';
import { CalendarOptionsQuery, GroupOptionsQuery } from './queries';

export interface Calendars {
  /** The app of the group; null while it is not known. */
  app: string | null;
  calendars: Data['calendars'] | null;
  reading: boolean;
}

/** The calendars that a job of this group can name: those of its app. */
export function useCalendars(group: string): Calendars {
  const [groups] = useQuery({ query: GroupOptionsQuery });
  const app = groups.data?.nodeGroups.find((g) => g.id === group)?.app.id ?? null;
  const [result] = useQuery({
    query: CalendarOptionsQuery,
    variables: { app: app ?? '' },
    pause: app === null,
  });
  const calendars = app === null ? null : (result.data?.calendars ?? null);
  return { app, calendars, reading: groups.fetching || result.fetching };
}
