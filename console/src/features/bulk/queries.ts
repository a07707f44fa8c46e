import { graphql } from '@/graphql/generated';

/** Everything of a bulk operation but its refusals. */
export const BulkRow = graphql(`
  fragment BulkRow on BulkOperation {
    id
    kind
    state
    total
    done
    refused
    progress
    parameters
    patch
    reason
    selection
    createdBy
    createdAt
    finishedAt
  }
`);

export const BulkOperationsQuery = graphql(`
  query BulkOperations($first: Int!, $after: String) {
    bulkOperations(first: $first, after: $after) {
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      nodes {
        ...BulkRow
      }
    }
  }
`);

export const BulkOperationQuery = graphql(`
  query BulkOperationPage($id: ID!, $refusals: Int!) {
    bulkOperation(id: $id) {
      ...BulkRow
      refusals(first: $refusals) {
        taskId
        message
        task {
          id
          state
          job {
            id
            name
          }
        }
      }
    }
  }
`);

export const BulkPreviewQuery = graphql(`
  query BulkPreview($input: CreateBulkOperationInput!) {
    bulkPreview(input: $input) {
      total
      more
      asOf
      error {
        ...UserError
      }
    }
  }
`);

export const BulkOperationChanged = graphql(`
  subscription BulkOperationChanged($id: ID!) {
    bulkOperationChanged(id: $id) {
      ...BulkRow
    }
  }
`);

export const CreateBulkOperation = graphql(`
  mutation CreateBulkOperation($input: CreateBulkOperationInput!) {
    createBulkOperation(input: $input) {
      bulkOperation {
        ...BulkRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const CancelBulkOperation = graphql(`
  mutation CancelBulkOperation($id: ID!) {
    cancelBulkOperation(id: $id) {
      bulkOperation {
        ...BulkRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);
