import { graphql } from '@/graphql/generated';

export const JobDetail = graphql(`
  fragment JobDetail on Job {
    id
    name
    handler
    description
    labels
    parameters
    enabled
    invalidReason
    warnings
    deletedAt
    version
    createdAt
    updatedAt
    priority
    timeout
    concurrency
    maxRunning
    delivery
    routing {
      ...RoutingFields
    }
    nextFireAt
    lastFireAt
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
      description(locale: $locale)
      expression
      dialect
      resolved
      zone
      startAt
      endAt
      jitter
      every
      delay
      mode
      window
      upstream {
        on
        job {
          id
          name
        }
      }
    }
    downstream(first: 50) {
      id
      name
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
    stats {
      succeeded
      failed
      cancelled
      skipped
      retried
      missed
      excluded
      late
      meanDuration
      meanDelay
    }
    nextFires(count: 8)
    skippedFires(first: 20) {
      firstAt
      lastAt
      count
      reason
      message
      recordedAt
    }
  }
`);

export const RunRow = graphql(`
  fragment RunRow on Task {
    id
    state
    trigger
    scheduledAt
    startedAt
    finishedAt
    duration
    attempt
    maxAttempts
    error
    reason
    node {
      id
      name
    }
  }
`);

export const JobQuery = graphql(`
  query Job($id: ID!, $locale: String!) {
    job(id: $id) {
      ...JobDetail
    }
  }
`);

export const JobRunsQuery = graphql(`
  query JobRuns($id: ID!) {
    job(id: $id) {
      id
      recentTasks(first: 20) {
        ...RunRow
      }
    }
  }
`);

export const JobRunChanged = graphql(`
  subscription JobRunChanged($job: ID!) {
    taskChanged(filter: { job: $job }) {
      ...RunRow
    }
  }
`);

/** The light half of a change; the rest of the page is read again when it concerns this job. */
export const JobDetailChanged = graphql(`
  subscription JobDetailChanged($filter: JobFilter) {
    jobChanged(filter: $filter) {
      id
      enabled
      nextFireAt
      lastFireAt
      version
      deletedAt
    }
  }
`);

export const DeleteJob = graphql(`
  mutation DeleteJob($id: ID!) {
    deleteJob(id: $id) {
      job {
        id
        deletedAt
      }
      userErrors {
        ...UserError
      }
    }
  }
`);
