import { graphql } from '@/graphql/generated';

export const AppRoleFields = graphql(`
  fragment AppRoleFields on AppRole {
    role
    app {
      id
      name
    }
  }
`);

export const UserRow = graphql(`
  fragment UserRow on User {
    id
    name
    role
    apps {
      ...AppRoleFields
    }
    hasPassword
    disabledAt
    createdAt
  }
`);

export const UsersQuery = graphql(`
  query Users($first: Int, $after: String, $search: String, $disabled: Boolean) {
    users(first: $first, after: $after, search: $search, disabled: $disabled) {
      nodes {
        ...UserRow
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

export const UserQuery = graphql(`
  query User($id: ID!) {
    user(id: $id) {
      ...UserRow
    }
  }
`);

export const UserSessionsQuery = graphql(`
  query UserSessions($user: ID!) {
    userSessions(user: $user) {
      id
      current
      createdAt
      lastSeenAt
      expiresAt
    }
  }
`);

export const CreateUser = graphql(`
  mutation CreateUser($input: CreateUserInput!) {
    createUser(input: $input) {
      user {
        ...UserRow
      }
      link
      userErrors {
        ...UserError
      }
    }
  }
`);

export const UpdateUser = graphql(`
  mutation UpdateUser($input: UpdateUserInput!) {
    updateUser(input: $input) {
      user {
        ...UserRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const ResetUserPassword = graphql(`
  mutation ResetUserPassword($id: ID!) {
    resetUserPassword(id: $id) {
      user {
        ...UserRow
      }
      link
      userErrors {
        ...UserError
      }
    }
  }
`);

export const EndUserSession = graphql(`
  mutation EndUserSession($id: ID!) {
    endSession(id: $id) {
      session {
        id
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const RoleAppsQuery = graphql(`
  query RoleApps {
    apps {
      id
      name
    }
  }
`);
