import { graphql } from '@/graphql/generated';

export const NodeRow = graphql(`
  fragment NodeRow on Node {
    id
    name
    state
    slots
    running
    lastSeenAt
    incarnation
    startedAt
    labels
    handlers
    sdk
    host
    stuck
    lingering
    group {
      id
    }
  }
`);

/** What only the node's own window shows. */
export const NodeSlotsQuery = graphql(`
  query NodeSlots($id: ID!) {
    node(id: $id) {
      id
      stuckAttempts {
        task {
          id
          job {
            id
            name
          }
        }
        attempt
        handler
        since
        cause
        stack
      }
      handlerSlots {
        handlers
        slots
        running
      }
    }
  }
`);

export const GroupCard = graphql(`
  fragment GroupCard on NodeGroup {
    id
    name
    app {
      id
      name
    }
    maxRunning
    releaseRate
    releaseBurst
    routingRule {
      ...RoutingFields
    }
    heartbeatInterval
    heartbeatMisses
    takeoverAfter
    jobCount
    warnings
    waiting
    running
    slots
    due
    oldestDueAt
    drainsIn
    drainsNote
    releasedLastSecond
    limitedBy
  }
`);

/** All nodes at once: asking for each group's own would cost the server a list of lists. */
export const NodesQuery = graphql(`
  query Nodes {
    nodes {
      ...NodeRow
    }
  }
`);

export const NodeGroupsQuery = graphql(`
  query NodeGroups($app: ID) {
    nodeGroups(app: $app) {
      ...GroupCard
    }
  }
`);

export const NodeChanged = graphql(`
  subscription NodeChanged {
    nodeChanged {
      ...NodeRow
    }
  }
`);

export const NodeGroupChanged = graphql(`
  subscription NodeGroupChanged($app: ID) {
    nodeGroupChanged(app: $app) {
      ...GroupCard
    }
  }
`);

export const CreateNodeGroup = graphql(`
  mutation CreateNodeGroup($input: CreateNodeGroupInput!) {
    createNodeGroup(input: $input) {
      nodeGroup {
        ...GroupCard
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const UpdateNodeGroup = graphql(`
  mutation UpdateNodeGroup($input: UpdateNodeGroupInput!) {
    updateNodeGroup(input: $input) {
      nodeGroup {
        ...GroupCard
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const DeleteNodeGroup = graphql(`
  mutation DeleteNodeGroup($id: ID!) {
    deleteNodeGroup(id: $id) {
      nodeGroup {
        id
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const DrainNode = graphql(`
  mutation DrainNode($id: ID!) {
    drainNode(id: $id) {
      node {
        ...NodeRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const ResumeNode = graphql(`
  mutation ResumeNode($id: ID!) {
    resumeNode(id: $id) {
      node {
        ...NodeRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const RemoveNode = graphql(`
  mutation RemoveNode($id: ID!) {
    removeNode(id: $id) {
      node {
        id
      }
      userErrors {
        ...UserError
      }
    }
  }
`);
