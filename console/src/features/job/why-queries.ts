import { graphql } from '@/graphql/generated';

export const WhyNotRunQuery = graphql(`
  query WhyNotRun($job: ID!, $at: Time!, $locale: String!) {
    whyNotRun(job: $job, at: $at, locale: $locale) {
      code
      answer
      evidence {
        at
        message
      }
      task {
        id
        state
      }
      previousFire
      nextFire
    }
  }
`);
