import { graphql } from '@/graphql/generated';

export const OverviewFields = graphql(`
  fragment OverviewFields on Overview {
    at
    waiting
    running
    retrying
    failedQueue
    slots
    jobs
    nodes {
      online
      suspect
      offline
      draining
    }
    minutes {
      at
      succeeded
      failed
      retried
      cancelled
      skipped
    }
    recentFailures {
      id
      state
      scheduledAt
      finishedAt
      error
      reason
      attempt
      job {
        id
        name
        trigger {
          zone
        }
      }
    }
    upcoming {
      at
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

export const OverviewQuery = graphql(`
  query Overview {
    overview {
      ...OverviewFields
    }
  }
`);

export const OverviewChanged = graphql(`
  subscription OverviewChanged {
    overviewChanged {
      ...OverviewFields
    }
  }
`);

/** Whether anything exists at all: decides if the first steps are shown. */
export const FirstStepsQuery = graphql(`
  query FirstSteps {
    apps {
      id
      name
      jobCount
      onlineNodeCount
    }
    installation {
      publicUrl
    }
  }
`);
