import { graphql } from '@/graphql/generated';

export const AppRow = graphql(`
  fragment AppRow on App {
    id
    name
    description
    createdAt
    jobCount
    onlineNodeCount
  }
`);

export const AppsQuery = graphql(`
  query Apps {
    apps {
      ...AppRow
      keys {
        id
        revokedAt
      }
    }
  }
`);

export const KeyRow = graphql(`
  fragment KeyRow on AppKey {
    id
    prefix
    createdAt
    lastUsedAt
    revokedAt
  }
`);

export const AppQuery = graphql(`
  query AppPage($name: String!) {
    app(name: $name) {
      ...AppRow
      keys {
        ...KeyRow
      }
      nodeGroups {
        id
        name
      }
    }
    installation {
      publicUrl
    }
  }
`);

export const InstallationQuery = graphql(`
  query InstallationAddress {
    installation {
      publicUrl
    }
  }
`);

export const CreateApp = graphql(`
  mutation CreateApp($input: CreateAppInput!) {
    createApp(input: $input) {
      app {
        ...AppRow
        keys {
          ...KeyRow
        }
        nodeGroups {
          id
          name
        }
      }
      key
      userErrors {
        ...UserError
      }
    }
  }
`);

export const UpdateApp = graphql(`
  mutation UpdateApp($input: UpdateAppInput!) {
    updateApp(input: $input) {
      app {
        id
        description
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const DeleteApp = graphql(`
  mutation DeleteApp($id: ID!) {
    deleteApp(id: $id) {
      app {
        id
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const CreateAppKey = graphql(`
  mutation CreateAppKey($app: ID!) {
    createAppKey(app: $app) {
      appKey {
        ...KeyRow
      }
      key
      userErrors {
        ...UserError
      }
    }
  }
`);

export const RevokeAppKey = graphql(`
  mutation RevokeAppKey($id: ID!) {
    revokeAppKey(id: $id) {
      appKey {
        ...KeyRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);
