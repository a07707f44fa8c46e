import { graphql } from '@/graphql/generated';

export const RevisionRow = graphql(`
  fragment RevisionRow on JobRevision {
    number
    at
    author
    authorKind
    action
    changes {
      field
    }
  }
`);

export const JobRevisionsQuery = graphql(`
  query JobRevisions($id: ID!, $first: Int!) {
    job(id: $id) {
      id
      name
      version
      deletedAt
      app {
        id
        name
      }
      trigger {
        kind
        zone
      }
      revisions(first: $first) {
        nodes {
          ...RevisionRow
        }
        pageInfo {
          hasNextPage
        }
      }
    }
  }
`);

/** Two versions to compare; `before` is 0 when there is nothing to compare with. */
export const RevisionPairQuery = graphql(`
  query RevisionPair($id: ID!, $before: Int!, $after: Int!) {
    job(id: $id) {
      id
      version
      before: revision(number: $before) {
        number
        snapshot
      }
      after: revision(number: $after) {
        number
        snapshot
        rollBackChanges {
          ...FieldChange
        }
      }
    }
  }
`);

export const FieldChangeFields = graphql(`
  fragment FieldChange on JobFieldChange {
    field
    before
    after
  }
`);

export const RollBackJob = graphql(`
  mutation RollBackJob($id: ID!, $revision: Int!, $version: Int!) {
    rollBackJob(id: $id, revision: $revision, version: $version) {
      job {
        id
        version
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const RevisionGroup = graphql(`
  query RevisionGroup($id: ID!) {
    nodeGroup(id: $id) {
      id
      name
    }
  }
`);

export const RevisionCalendar = graphql(`
  query RevisionCalendar($id: ID!) {
    calendar(id: $id) {
      id
      name
    }
  }
`);

export const RevisionJob = graphql(`
  query RevisionJob($id: ID!) {
    job(id: $id) {
      id
      name
    }
  }
`);
