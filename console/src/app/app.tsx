import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import type { i18n } from 'i18next';
import { I18nextProvider } from 'react-i18next';
import type { AppRouter } from '@/routes/router';
import { SessionProvider } from '@/session/context';
import type { Session } from '@/session/session';
import { TimeProvider } from '@/time/view';
import { schemeManager } from './scheme';
import { theme, tokens } from './theme';

interface AppProps {
  session: Session;
  router: AppRouter;
  i18n: i18n;
  /** In tests, dialogs and menus open without transitions. */
  env?: 'default' | 'test';
}

/** The whole console. Tests render it with a router on a memory history. */
export function App({ session, router, i18n, env = 'default' }: AppProps) {
  return (
    <I18nextProvider i18n={i18n}>
      <MantineProvider
        env={env}
        theme={theme}
        cssVariablesResolver={tokens}
        colorSchemeManager={schemeManager}
        defaultColorScheme="auto"
      >
        <SessionProvider session={session}>
          <TimeProvider>
            <RouterProvider router={router} />
          </TimeProvider>
        </SessionProvider>
      </MantineProvider>
    </I18nextProvider>
  );
}
