import { graphql } from '@/graphql/generated';

export const RoutingFields = graphql(`
  fragment RoutingFields on Routing {
    strategy
    key
    node
    fallback
    fallbackAfter
    labels
  }
`);
