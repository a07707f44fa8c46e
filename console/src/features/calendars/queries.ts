import { graphql } from '@/graphql/generated';

export const CalendarRow = graphql(`
  fragment CalendarRow on Calendar {
    id
    name
    description
    restDays
    quietWindows {
      days
      from
      to
      rule
    }
    jobCount
    version
    updatedAt
    app {
      id
      name
    }
  }
`);

export const CalendarDetail = graphql(`
  fragment CalendarDetail on Calendar {
    ...CalendarRow
    days {
      date
      kind
      name
    }
  }
`);

export const CalendarsQuery = graphql(`
  query Calendars($app: ID) {
    calendars(app: $app) {
      ...CalendarRow
    }
  }
`);

export const CalendarQuery = graphql(`
  query Calendar($id: ID!) {
    calendar(id: $id) {
      ...CalendarDetail
    }
  }
`);

/** Which jobs use a calendar; apart, because editing it does not change them. */
export const CalendarJobsQuery = graphql(`
  query CalendarJobs($id: ID!, $locale: String!) {
    calendar(id: $id) {
      id
      jobs(first: 50) {
        id
        name
        enabled
        invalidReason
        deletedAt
        nextFireAt
        trigger {
          kind
          zone
          description(locale: $locale)
        }
      }
    }
  }
`);

export const CreateCalendar = graphql(`
  mutation CreateCalendar($input: CreateCalendarInput!) {
    createCalendar(input: $input) {
      calendar {
        ...CalendarDetail
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const UpdateCalendar = graphql(`
  mutation UpdateCalendar($input: UpdateCalendarInput!) {
    updateCalendar(input: $input) {
      calendar {
        ...CalendarDetail
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const DeleteCalendar = graphql(`
  mutation DeleteCalendar($id: ID!) {
    deleteCalendar(id: $id) {
      calendar {
        id
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const ImportCalendar = graphql(`
  mutation ImportCalendar($input: ImportCalendarInput!) {
    importCalendar(input: $input) {
      calendar {
        ...CalendarDetail
      }
      added {
        date
        kind
        name
      }
      removed {
        date
        kind
        name
      }
      unchanged
      userErrors {
        ...UserError
      }
    }
  }
`);
