import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import { Provider } from 'urql';
import type { Role } from '@/graphql/generated/enums';
import type { Session, Viewer } from './session';

const SessionContext = createContext<Session | null>(null);

/** Gives the tree its session and, through it, the GraphQL client of whoever is signed in. */
export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  const client = useSyncExternalStore(session.watch, () => session.client);
  return (
    <SessionContext value={session}>
      <Provider value={client}>{children}</Provider>
    </SessionContext>
  );
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession outside SessionProvider');
  return session;
}

/** Who is signed in; null while nobody is. */
export function useViewer(): Viewer | null {
  const session = useSession();
  return useSyncExternalStore(session.watch, () => session.viewer);
}

/** Whether somebody administers the whole installation, or at least one app. */
export function isAdministrator(
  viewer: Viewer | null,
  where: 'everywhere' | 'somewhere' = 'everywhere',
): boolean {
  return (where === 'everywhere' ? viewer?.roleInAllApps : viewer?.role) === 'ADMIN';
}

const rank: Record<Role, number> = { VIEWER: 0, OPERATOR: 1, DEVELOPER: 2, ADMIN: 3 };

/** Whether the viewer's role includes the given one. The server decides; this only spares people a refusal. */
export function useCan(atLeast: Role): boolean {
  const viewer = useViewer();
  return viewer !== null && rank[viewer.role] >= rank[atLeast];
}
