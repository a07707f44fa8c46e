import { graphql } from '@/graphql/generated';

export const JobJoinsQuery = graphql(`
  query JobJoins($id: ID!) {
    job(id: $id) {
      id
      joins(first: 20) {
        window
        openedAt
        firedAt
        reason
        arrived {
          at
          condition
          job {
            id
            name
          }
          task {
            id
            state
          }
        }
        missing {
          id
          name
        }
        task {
          id
          state
        }
      }
    }
  }
`);
