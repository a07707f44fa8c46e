import { cacheExchange } from '@urql/exchange-graphcache';
import { Client, type CombinedError, fetchExchange, mapExchange, subscriptionExchange } from 'urql';
import type { Live } from '@/live/live';
import { cacheOptions } from './cache';
import { errorCode } from './error';

/** The header that the server asks for on every POST: other sites cannot set it. */
export const consoleHeaders = { 'X-Belfry-Console': '1' };

/** Builds the GraphQL client; onUnauthenticated is called when the session has ended. */
export function createGraphqlClient(live: Live, onUnauthenticated: () => void): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetchOptions: { credentials: 'same-origin', headers: consoleHeaders },
    exchanges: [
      mapExchange({
        onError(error: CombinedError) {
          if (errorCode(error) === 'UNAUTHENTICATED') onUnauthenticated();
        },
      }),
      cacheExchange(cacheOptions),
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: (request) => ({
          subscribe: (sink) => ({
            unsubscribe: live.subscribe(
              {
                query: request.query,
                variables: request.variables as Record<string, unknown> | undefined,
                operationName: request.operationName,
              },
              {
                next: (result) => sink.next(result as Parameters<typeof sink.next>[0]),
                error: (error) => sink.error(error),
                complete: () => sink.complete(),
              },
            ),
          }),
        }),
      }),
    ],
  });
}
