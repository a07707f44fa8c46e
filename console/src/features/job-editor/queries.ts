import { graphql } from '@/graphql/generated';

export const EditableJob = graphql(`
  fragment EditableJob on Job {
    id
    name
    handler
    description
    labels
    parameters
    enabled
    version
    priority
    timeout
    concurrency
    maxRunning
    delivery
    app {
      id
      name
    }
    group {
      id
      name
    }
    trigger {
      kind
      expression
      zone
      startAt
      endAt
      jitter
      every
      delay
    }
    retry {
      maxAttempts
      backoff
      delay
      maxDelay
      jitter
    }
    misfire {
      policy
      grace
      limit
    }
  }
`);

export const EditableJobQuery = graphql(`
  query EditableJob($id: ID!) {
    job(id: $id) {
      ...EditableJob
    }
  }
`);

export const GroupOptionsQuery = graphql(`
  query GroupOptions {
    nodeGroups {
      id
      name
      app {
        id
        name
      }
    }
  }
`);

export const GroupHandlersQuery = graphql(`
  query GroupHandlers($id: ID!) {
    nodeGroup(id: $id) {
      id
      nodes {
        id
        handlers
      }
    }
  }
`);

export const SchedulePreviewQuery = graphql(`
  query SchedulePreview($input: SchedulePreviewInput!) {
    schedulePreview(input: $input) {
      fires
      description
      dialect
      warnings
      error {
        ...UserError
      }
    }
  }
`);

export const CreateJob = graphql(`
  mutation CreateJob($input: CreateJobInput!) {
    createJob(input: $input) {
      job {
        id
        name
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const UpdateJob = graphql(`
  mutation UpdateJob($input: UpdateJobInput!) {
    updateJob(input: $input) {
      job {
        ...EditableJob
      }
      userErrors {
        ...UserError
      }
    }
  }
`);
