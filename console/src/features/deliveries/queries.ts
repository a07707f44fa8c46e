import { graphql } from '@/graphql/generated';

export const DeliveryRow = graphql(`
  fragment DeliveryRow on Notification {
    id
    kind
    severity
    state
    reason
    problems
    subject
    createdAt
    sentAt
    nextAt
    channel {
      id
      name
      kind
    }
    rule {
      id
      name
    }
  }
`);

export const DeliveryDetail = graphql(`
  fragment DeliveryDetail on Notification {
    ...DeliveryRow
    body
    incidents {
      id
      title
      state
    }
    tries {
      number
      at
      duration
      status
      response
      error
      nextAt
    }
  }
`);

export const DeliveriesQuery = graphql(`
  query Deliveries($first: Int!, $after: String, $filter: NotificationFilter) {
    notifications(first: $first, after: $after, filter: $filter) {
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      nodes {
        ...DeliveryRow
      }
    }
  }
`);

export const DeliveryListChanged = graphql(`
  subscription DeliveryListChanged($filter: NotificationFilter) {
    notificationChanged(filter: $filter) {
      ...DeliveryRow
    }
  }
`);

export const DeliveryQuery = graphql(`
  query Delivery($id: ID!) {
    notification(id: $id) {
      ...DeliveryDetail
    }
  }
`);

export const ReplayNotification = graphql(`
  mutation ReplayNotification($id: ID!) {
    replayNotification(id: $id) {
      notification {
        ...DeliveryDetail
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const DeliveryNamesQuery = graphql(`
  query DeliveryNames {
    alertChannels {
      id
      name
    }
    alertRules {
      id
      name
    }
  }
`);

export const FilteredIncidentQuery = graphql(`
  query FilteredIncident($id: ID!) {
    incident(id: $id) {
      id
      title
    }
  }
`);
