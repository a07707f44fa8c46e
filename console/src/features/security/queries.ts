import { graphql } from '@/graphql/generated';

export const SecurityFindingsQuery = graphql(`
  query SecurityFindings {
    securityFindings {
      code
      severity
      subjects
      count
    }
  }
`);
