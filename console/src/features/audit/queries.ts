import { graphql } from '@/graphql/generated';

export const AuditRow = graphql(`
  fragment AuditRow on AuditEntry {
    id
    at
    actor
    actorKind
    action
    kind
    object
    name
    app {
      id
      name
    }
    address
    agent
    requestId
    before
    after
    detail
  }
`);

export const AuditQuery = graphql(`
  query AuditTrail($first: Int, $after: String, $filter: AuditFilter) {
    auditTrail(first: $first, after: $after, filter: $filter) {
      nodes {
        ...AuditRow
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      searchedTo
    }
  }
`);
