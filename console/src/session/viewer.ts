import { graphql } from '@/graphql/generated';

export const ViewerQuery = graphql(`
  query Viewer {
    viewer {
      name
      isToken
      role
      roleInAllApps
      locale
      timeZone
    }
  }
`);
