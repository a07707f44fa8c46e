import { graphql } from '@/graphql/generated';

export const TaskDetail = graphql(`
  fragment TaskDetail on Task {
    ...TaskRow
    priority
    availableAt
    createdAt
    deadlineAt
    parameters
    result
    uniqueKey
    shard
    shards
    progressMessage
    rootTask {
      id
      job {
        id
        name
      }
    }
    parent {
      id
    }
    backfill {
      id
    }
    group {
      id
      name
      app {
        id
        name
      }
    }
    attempts {
      id
      number
      state
      nodeName
      availableAt
      dispatchedAt
      startedAt
      finishedAt
      error
    }
    timeline {
      at
      kind
      attempt
      message
      actor
    }
  }
`);

export const TaskQuery = graphql(`
  query TaskPage($id: ID!) {
    task(id: $id) {
      ...TaskDetail
    }
  }
`);

/** Follows one task: the filter by its id. */
export const TaskChanged = graphql(`
  subscription OneTaskChanged($id: String!) {
    taskChanged(filter: { search: $id }) {
      ...TaskDetail
    }
  }
`);

export const TaskLogsQuery = graphql(`
  query TaskLogs($id: ID!, $first: Int!, $after: Long) {
    task(id: $id) {
      id
      logs(first: $first, after: $after) {
        hasNextPage
        endCursor
        truncated
        nodes {
          seq
          at
          level
          message
          fields
          attempt
        }
      }
    }
  }
`);

export const TaskLogParts = graphql(`
  subscription TaskLogParts($id: ID!, $after: Long) {
    taskLogParts(task: $id, after: $after) {
      truncated
      lateAttempt
      nodes {
        seq
        at
        level
        message
        fields
        attempt
      }
    }
  }
`);

/** The parts of a task, a page at a time. */
export const TaskShardsQuery = graphql(`
  query TaskShards($id: ID!, $first: Int!, $after: String) {
    task(id: $id) {
      id
      children(first: $first, after: $after) {
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
        nodes {
          ...TaskRow
          shard
        }
      }
    }
  }
`);

/** Follows the parts of a task. */
export const TaskShardChanged = graphql(`
  subscription TaskShardChanged($task: ID!) {
    taskChanged(filter: { parent: $task }) {
      ...TaskRow
      shard
    }
  }
`);
