import { graphql } from '@/graphql/generated';

export const JobRow = graphql(`
  fragment JobRow on Job {
    id
    name
    handler
    enabled
    invalidReason
    deletedAt
    warnings
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
      zone
      description(locale: $locale)
    }
    stats {
      succeeded
      failed
      cancelled
      skipped
    }
  }
`);

export const JobsQuery = graphql(`
  query Jobs($first: Int!, $after: String, $filter: JobFilter, $orderBy: JobOrder, $locale: String!) {
    jobs(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
      totalCount
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      nodes {
        ...JobRow
      }
    }
  }
`);

/** A change of any job: known rows update through the cache, an unknown one means that the list is old. */
export const JobChanged = graphql(`
  subscription JobChanged($filter: JobFilter, $locale: String!) {
    jobChanged(filter: $filter) {
      ...JobRow
    }
  }
`);

export const AppNamesQuery = graphql(`
  query AppNames {
    apps {
      id
      name
    }
  }
`);

export const PauseJob = graphql(`
  mutation PauseJob($id: ID!) {
    pauseJob(id: $id) {
      job {
        id
        name
        enabled
        nextFireAt
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const ResumeJob = graphql(`
  mutation ResumeJob($id: ID!) {
    resumeJob(id: $id) {
      job {
        id
        name
        enabled
        nextFireAt
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const TriggerJob = graphql(`
  mutation TriggerJob($input: TriggerJobInput!) {
    triggerJob(input: $input) {
      task {
        id
        state
      }
      userErrors {
        ...UserError
      }
    }
  }
`);
