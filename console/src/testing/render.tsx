import { World } from '@mock/world';
import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App } from '@/app/app';
import { startI18n } from '@/i18n/i18n';
import type { Locale } from '@/i18n/locale';
import type { LiveEvents, LiveTransport } from '@/live/live';
import { createAppRouter } from '@/routes/router';
import { Session } from '@/session/session';
import { serve } from './server';

/** A live line into a world; a test can break and mend it. */
export class TestLine {
  private events: LiveEvents | null = null;

  constructor(private readonly world: World) {}

  connect = (events: LiveEvents): LiveTransport => {
    this.events = events;
    queueMicrotask(() => events.connected());
    return {
      subscribe: (payload, sink) =>
        this.world.subscribe(
          { query: payload.query ?? '', variables: payload.variables },
          sink.next,
        ),
      dispose: () => {
        this.events = null;
      },
    };
  };

  drop(): void {
    this.events?.closed();
  }

  mend(): void {
    this.events?.connected();
  }
}

/** Renders the whole console at an address, with a world in place of the server. */
export async function renderApp(
  address: string,
  { world = new World(), locale = 'en' }: { world?: World; locale?: Locale } = {},
) {
  serve(world);
  const line = new TestLine(world);
  const session = new Session(line.connect);
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createAppRouter(session, history);
  const i18n = await startI18n(locale);
  const view = render(<App session={session} router={router} i18n={i18n} env="test" />);
  const at = () => router.state.location.href;
  return { ...view, world, line, session, router, at, user: userEvent.setup({ delay: null }) };
}
