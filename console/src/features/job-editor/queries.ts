import { graphql } from '@/graphql/generated';

export const EditableJob = graphql(`
  fragment EditableJob on Job {
    id
    name
    handler
    description
    labels
    parameters
    enabled
    version
    priority
    timeout
    concurrency
    maxRunning
    delivery
    routing {
      ...RoutingFields
    }
    app {
      id
      name
    }
    group {
      id
      name
    }
    trigger {
      kind
      expression
      zone
      startAt
      endAt
      jitter
      every
      delay
      calendar {
        id
        name
      }
      onRestDay
      upstream {
        on
        job {
          id
          name
          app {
            id
            name
          }
        }
      }
      mode
      window
    }
    retry {
      maxAttempts
      backoff
      delay
      maxDelay
      jitter
    }
    misfire {
      policy
      grace
      limit
    }
  }
`);

export const EditableJobQuery = graphql(`
  query EditableJob($id: ID!) {
    job(id: $id) {
      ...EditableJob
    }
  }
`);

export const GroupOptionsQuery = graphql(`
  query GroupOptions {
    nodeGroups {
      id
      name
      app {
        id
        name
      }
    }
  }
`);

export const GroupHandlersQuery = graphql(`
  query GroupHandlers($id: ID!) {
    nodeGroup(id: $id) {
      id
      nodes {
        id
        name
        state
        labels
        handlers
      }
    }
  }
`);

export const CalendarOptionsQuery = graphql(`
  query CalendarOptions($app: ID!) {
    calendars(app: $app) {
      id
      name
      restDays
    }
  }
`);

export const UpstreamOptionsQuery = graphql(`
  query UpstreamOptions($search: String) {
    jobs(first: 20, filter: { search: $search }) {
      nodes {
        id
        name
        app {
          id
          name
        }
      }
    }
  }
`);

export const Neighbour = graphql(`
  fragment Neighbour on Job {
    id
    name
    app {
      id
      name
    }
  }
`);

/** What an upstream job itself waits for. */
export const UpstreamNeighboursQuery = graphql(`
  query UpstreamNeighbours($id: ID!) {
    job(id: $id) {
      ...Neighbour
      trigger {
        upstream {
          on
          job {
            ...Neighbour
          }
        }
      }
    }
  }
`);

/** Who waits for a job, and who waits for those. */
export const DownstreamNeighboursQuery = graphql(`
  query DownstreamNeighbours($id: ID!) {
    job(id: $id) {
      ...Neighbour
      downstream(first: 12) {
        ...Neighbour
        downstream(first: 6) {
          ...Neighbour
        }
      }
    }
  }
`);

export const SchedulePreviewQuery = graphql(`
  query SchedulePreview($input: SchedulePreviewInput!) {
    schedulePreview(input: $input) {
      fires
      description
      dialect
      warnings
      clockChanges {
        at
        offsetBefore
        offsetAfter
      }
      restDays {
        date
        kind
        name
      }
      excluded {
        at
        reason
        message
        movedTo
      }
      error {
        ...UserError
      }
    }
  }
`);

export const CreateJob = graphql(`
  mutation CreateJob($input: CreateJobInput!) {
    createJob(input: $input) {
      job {
        id
        name
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const UpdateJob = graphql(`
  mutation UpdateJob($input: UpdateJobInput!) {
    updateJob(input: $input) {
      job {
        ...EditableJob
      }
      userErrors {
        ...UserError
      }
    }
  }
`);
