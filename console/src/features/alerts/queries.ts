import { graphql } from '@/graphql/generated';

export const ScopeFields = graphql(`
  fragment ScopeFields on AlertScope {
    kind
    labels
    app {
      id
      name
    }
    group {
      id
      name
      app {
        id
        name
      }
    }
    job {
      id
      name
      app {
        id
        name
      }
    }
  }
`);

export const AlertSummaryFields = graphql(`
  fragment AlertSummaryFields on AlertSummary {
    open
    acknowledged
    critical
  }
`);

export const AlertSummaryQuery = graphql(`
  query AlertSummary {
    alertSummary {
      ...AlertSummaryFields
    }
  }
`);

export const AlertSummaryChanged = graphql(`
  subscription AlertSummaryChanged {
    alertSummaryChanged {
      ...AlertSummaryFields
    }
  }
`);

/** What a scope can name. */
export const ScopeGroupsQuery = graphql(`
  query ScopeGroups {
    nodeGroups {
      id
      name
      app {
        id
        name
      }
    }
    apps {
      id
      name
    }
  }
`);

export const ScopeJobsQuery = graphql(`
  query ScopeJobs($search: String) {
    jobs(first: 30, filter: { search: $search }) {
      nodes {
        id
        name
        app {
          id
          name
        }
      }
    }
  }
`);

/** Whom alerts can be sent to. */
export const ReceiversQuery = graphql(`
  query Receivers {
    alertChannels {
      id
      name
      kind
      enabled
    }
    people {
      id
      name
    }
  }
`);
