import { graphql } from '@/graphql/generated';

export const IncidentRow = graphql(`
  fragment IncidentRow on Incident {
    id
    title
    event
    severity
    state
    flapping
    openedAt
    lastAt
    count
    acknowledgedAt
    acknowledgedBy
    resolvedAt
    resolution
    downtime
    lastError
    server
    rule {
      id
      name
    }
    silencedBy {
      id
      reason
      activeUntil
    }
    job {
      id
      name
      trigger {
        zone
      }
      app {
        id
        name
      }
    }
    group {
      id
      name
      app {
        id
        name
      }
    }
    node {
      id
      name
    }
  }
`);

export const IncidentDetail = graphql(`
  fragment IncidentDetail on Incident {
    ...IncidentRow
    lastTask {
      id
      state
      scheduledAt
      maxAttempts
      attempts {
        id
        number
        state
        nodeName
        startedAt
        finishedAt
        error
      }
    }
    notifications {
      id
      kind
      state
      severity
      reason
      createdAt
      sentAt
      nextAt
      channel {
        id
        name
        kind
      }
    }
  }
`);

export const EntryRow = graphql(`
  fragment EntryRow on IncidentEntry {
    id
    at
    kind
    message
    attempt
    node
    actor
    task {
      id
    }
  }
`);

export const IncidentsQuery = graphql(`
  query Incidents($first: Int!, $after: String, $filter: IncidentFilter) {
    incidents(first: $first, after: $after, filter: $filter) {
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      nodes {
        ...IncidentRow
      }
    }
  }
`);

export const IncidentListChanged = graphql(`
  subscription IncidentListChanged($filter: IncidentFilter) {
    incidentChanged(filter: $filter) {
      ...IncidentRow
    }
  }
`);

export const IncidentQuery = graphql(`
  query Incident($id: ID!) {
    incident(id: $id) {
      ...IncidentDetail
    }
  }
`);

/** Apart from the incident, as it is read page by page. */
export const IncidentTimelineQuery = graphql(`
  query IncidentTimeline($id: ID!, $first: Int!, $after: String) {
    incident(id: $id) {
      id
      timeline(first: $first, after: $after) {
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
        nodes {
          ...EntryRow
        }
      }
    }
  }
`);

/** The light half of a change; what belongs to the one incident is read again. */
export const IncidentTouched = graphql(`
  subscription IncidentTouched($filter: IncidentFilter) {
    incidentChanged(filter: $filter) {
      ...IncidentRow
    }
  }
`);

export const AcknowledgeIncident = graphql(`
  mutation AcknowledgeIncident($id: ID!, $comment: String) {
    acknowledgeIncident(id: $id, comment: $comment) {
      incident {
        ...IncidentRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const UnacknowledgeIncident = graphql(`
  mutation UnacknowledgeIncident($id: ID!) {
    unacknowledgeIncident(id: $id) {
      incident {
        ...IncidentRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const ResolveIncident = graphql(`
  mutation ResolveIncident($id: ID!, $comment: String) {
    resolveIncident(id: $id, comment: $comment) {
      incident {
        ...IncidentRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const CommentIncident = graphql(`
  mutation CommentIncident($id: ID!, $comment: String!) {
    commentIncident(id: $id, comment: $comment) {
      incident {
        ...IncidentRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const RuleNamesQuery = graphql(`
  query RuleNames {
    alertRules {
      id
      name
    }
  }
`);
