import { graphql } from '@/graphql/generated';

export const SilenceRow = graphql(`
  fragment SilenceRow on Silence {
    id
    kind
    reason
    author
    startsAt
    endsAt
    remindBefore
    active
    activeUntil
    suppressed
    createdAt
    scope {
      ...ScopeFields
    }
    rule {
      id
      name
    }
    recurrence {
      days
      from
      to
      zone
    }
  }
`);

export const SilencesQuery = graphql(`
  query Silences {
    silences {
      ...SilenceRow
    }
  }
`);

export const CreateSilence = graphql(`
  mutation CreateSilence($input: SilenceInput!) {
    createSilence(input: $input) {
      silence {
        ...SilenceRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const EndSilence = graphql(`
  mutation EndSilence($id: ID!) {
    endSilence(id: $id) {
      silence {
        ...SilenceRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);
