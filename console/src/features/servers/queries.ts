import { graphql } from '@/graphql/generated';

export const ServerRow = graphql(`
  fragment ServerRow on Server {
    id
    name
    version
    state
    startedAt
    lastSeenAt
    partitions
    groups
    lag
    clockOffset
    locks
    degraded
    self
  }
`);

export const ServersQuery = graphql(`
  query Servers {
    servers {
      ...ServerRow
    }
  }
`);

export const ServerChanged = graphql(`
  subscription ServerChanged {
    serverChanged {
      ...ServerRow
    }
  }
`);
