import { graphql } from '@/graphql/generated';

/** Everything of a backfill that changes or is shown. */
export const BackfillRow = graphql(`
  fragment BackfillRow on Backfill {
    id
    from
    to
    state
    onlyMissing
    perMinute
    maxRunning
    parameters
    total
    created
    present
    succeeded
    failed
    cancelled
    progress
    nextAt
    createdBy
    createdAt
    finishedAt
    job {
      id
      name
      trigger {
        zone
      }
    }
  }
`);

export const JobBackfillsQuery = graphql(`
  query JobBackfills($job: ID!, $first: Int!, $after: String) {
    backfills(job: $job, first: $first, after: $after) {
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      nodes {
        ...BackfillRow
      }
    }
  }
`);

export const BackfillQuery = graphql(`
  query BackfillPage($id: ID!) {
    backfill(id: $id) {
      ...BackfillRow
    }
  }
`);

export const BackfillTasksQuery = graphql(`
  query BackfillTasks($id: ID!, $first: Int!, $after: String) {
    backfill(id: $id) {
      id
      tasks(first: $first, after: $after) {
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
  }
`);

export const BackfillPreviewQuery = graphql(`
  query BackfillPreview($input: CreateBackfillInput!) {
    backfillPreview(input: $input) {
      total
      atLeast
      present
      first
      last
      sample
      duration
      warnings
      error {
        ...UserError
      }
    }
  }
`);

export const BackfillChanged = graphql(`
  subscription BackfillChanged($id: ID!) {
    backfillChanged(id: $id) {
      ...BackfillRow
    }
  }
`);

export const CreateBackfill = graphql(`
  mutation CreateBackfill($input: CreateBackfillInput!) {
    createBackfill(input: $input) {
      backfill {
        ...BackfillRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const PauseBackfill = graphql(`
  mutation PauseBackfill($id: ID!) {
    pauseBackfill(id: $id) {
      backfill {
        ...BackfillRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const ResumeBackfill = graphql(`
  mutation ResumeBackfill($id: ID!) {
    resumeBackfill(id: $id) {
      backfill {
        ...BackfillRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const CancelBackfill = graphql(`
  mutation CancelBackfill($id: ID!, $reason: String) {
    cancelBackfill(id: $id, reason: $reason) {
      backfill {
        ...BackfillRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);
