import { graphql } from '@/graphql/generated';

export const TokenRow = graphql(`
  fragment TokenRow on ApiToken {
    id
    name
    prefix
    role
    apps {
      ...AppRoleFields
    }
    scopes
    createdAt
    expiresAt
    lastUsedAt
    revokedAt
  }
`);

export const TokensQuery = graphql(`
  query Tokens($first: Int, $after: String, $search: String, $active: Boolean) {
    apiTokens(first: $first, after: $after, search: $search, active: $active) {
      nodes {
        ...TokenRow
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
`);

export const CreateToken = graphql(`
  mutation CreateToken($input: CreateApiTokenInput!) {
    createApiToken(input: $input) {
      apiToken {
        ...TokenRow
      }
      token
      userErrors {
        ...UserError
      }
    }
  }
`);

export const RevokeToken = graphql(`
  mutation RevokeToken($id: ID!) {
    revokeApiToken(id: $id) {
      apiToken {
        ...TokenRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);
