import { graphql } from '@/graphql/generated';

export const TaskRow = graphql(`
  fragment TaskRow on Task {
    id
    state
    trigger
    scheduledAt
    startedAt
    finishedAt
    duration
    attempt
    maxAttempts
    reason
    error
    progress
    cancelRequestedAt
    node {
      id
      name
    }
    job {
      id
      name
      trigger {
        zone
      }
    }
  }
`);

export const TasksQuery = graphql(`
  query Tasks($first: Int!, $after: String, $filter: TaskFilter) {
    tasks(first: $first, after: $after, filter: $filter) {
      totalCount
      searchedTo
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      nodes {
        ...TaskRow
      }
    }
  }
`);

export const TaskListChanged = graphql(`
  subscription TaskListChanged($filter: TaskFilter) {
    taskChanged(filter: $filter) {
      ...TaskRow
    }
  }
`);

export const CancelTask = graphql(`
  mutation CancelTask($id: ID!, $reason: String) {
    cancelTask(id: $id, reason: $reason) {
      task {
        ...TaskRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const RetryTask = graphql(`
  mutation RetryTask($id: ID!, $parameters: JSON) {
    retryTask(id: $id, parameters: $parameters) {
      task {
        ...TaskRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const DiscardTask = graphql(`
  mutation DiscardTask($id: ID!, $reason: String) {
    discardTask(id: $id, reason: $reason) {
      task {
        ...TaskRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const TaskGroupsQuery = graphql(`
  query TaskGroups {
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

export const FilteredJobQuery = graphql(`
  query FilteredJob($id: ID!) {
    job(id: $id) {
      id
      name
    }
  }
`);

export const FilteredNodeQuery = graphql(`
  query FilteredNode($id: ID!) {
    node(id: $id) {
      id
      name
    }
  }
`);

export const FilteredBackfillQuery = graphql(`
  query FilteredBackfill($id: ID!) {
    backfill(id: $id) {
      id
      from
      to
      job {
        id
        name
        trigger {
          zone
        }
      }
    }
  }
`);

export const TaskParametersQuery = graphql(`
  query TaskParameters($id: ID!) {
    task(id: $id) {
      id
      parameters
    }
  }
`);
