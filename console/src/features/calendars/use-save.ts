import type { CalendarDetailFragment, UpdateCalendarInput } from '@/graphql/generated/graphql';
import { useMutationAction } from '@/graphql/use-action';
import { UpdateCalendar } from './queries';

type Changes = Omit<UpdateCalendarInput, 'id' | 'version'>;

/** Changes a calendar as it was read: when somebody else was faster, the server refuses and says so. */
export function useSave(calendar: CalendarDetailFragment, done: string) {
  const action = useMutationAction(UpdateCalendar, {
    pick: (data) => data.updateCalendar,
    success: () => done,
    refusals: 'form',
  });
  return {
    busy: action.busy,
    refusals: action.userErrors,
    /** The refusals' sentences, for forms that have no field to put them at. */
    errors: action.userErrors.map((error) => error.message),
    /** Answers whether it was saved. */
    run: async (changes: Changes): Promise<boolean> => {
      const { payload } = await action.run({
        input: { id: calendar.id, version: calendar.version, ...changes },
      });
      return payload !== null;
    },
  };
}
