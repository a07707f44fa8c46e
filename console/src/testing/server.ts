import type { World } from '@mock/world';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';

/** MSW with no handlers of its own: a request that no test expects is an error. */
export const server = setupServer();

/** Lets a world answer /graphql and /auth for one test. */
export function serve(world: World): void {
  const answer = ({ status, body }: { status: number; body: unknown }) =>
    body === null
      ? new HttpResponse(null, { status })
      : HttpResponse.json(body as object, { status });
  server.use(
    http.post('*/graphql', async ({ request }) => {
      if (request.headers.get('X-Belfry-Console') !== '1')
        return new HttpResponse(null, { status: 403 });
      return answer(await world.graphql((await request.json()) as Parameters<World['graphql']>[0]));
    }),
    http.get('*/auth/methods', () => HttpResponse.json(world.methods)),
    http.post('*/auth/*', async ({ request }) => {
      if (request.headers.get('X-Belfry-Console') !== '1')
        return new HttpResponse(null, { status: 403 });
      const body = (await request.json()) as Record<string, unknown>;
      return answer(await world.auth(new URL(request.url).pathname, body));
    }),
  );
}
