import { graphql } from '@/graphql/generated';

export const UpdateViewer = graphql(`
  mutation UpdateViewer($input: UpdateViewerInput!) {
    updateViewer(input: $input) {
      viewer {
        name
        isToken
        role
        locale
        timeZone
      }
      userErrors {
        ...UserError
      }
    }
  }
`);
