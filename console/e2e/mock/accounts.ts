import { pageOf } from './page.ts';
import { appView, need } from './queries.ts';
import { refusal } from './refusal.ts';
import type { SessionRecord } from './second-factor.ts';
import type { World } from './world.ts';

export interface AppRoleRecord {
  appId: string;
  role: string;
}

export interface UserRecord {
  id: string;
  name: string;
  role: string | null;
  apps: AppRoleRecord[];
  hasPassword: boolean;
  hasSecondFactor: boolean;
  disabledAt: string | null;
  createdAt: string;
  sessions: SessionRecord[];
}

export interface TokenRecord {
  id: string;
  name: string;
  prefix: string;
  role: string | null;
  apps: AppRoleRecord[];
  scopes: string[];
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

let made = 0;

export function makeUser(over: Partial<UserRecord> = {}): UserRecord {
  return {
    id: `user-${++made}`,
    name: 'ada',
    role: 'VIEWER',
    apps: [],
    hasPassword: true,
    hasSecondFactor: false,
    disabledAt: null,
    createdAt: '2026-09-01T08:00:00Z',
    sessions: [],
    ...over,
  };
}

export function makeSession(over: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: `session-${++made}`,
    current: false,
    createdAt: '2026-11-29T08:00:00Z',
    lastSeenAt: '2026-11-30T07:20:00Z',
    expiresAt: '2026-12-06T08:00:00Z',
    method: 'PASSWORD',
    address: '192.0.2.7',
    agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0',
    ...over,
  };
}

export function makeToken(over: Partial<TokenRecord> = {}): TokenRecord {
  return {
    id: `token-${++made}`,
    name: 'reports',
    prefix: 'bfy_Zk3tQw9a',
    role: 'VIEWER',
    apps: [],
    scopes: [],
    createdAt: '2026-09-01T08:00:00Z',
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    ...over,
  };
}

const rolesView = (world: World, roles: AppRoleRecord[]) =>
  roles.map(({ appId, role }) => {
    const app = world.apps.find((each) => each.id === appId);
    return { role, app: app ? appView(world, app) : null };
  });

const userView = (world: World, user: UserRecord) => ({
  ...user,
  apps: () => rolesView(world, user.apps),
});

const tokenView = (world: World, token: TokenRecord) => ({
  ...token,
  apps: () => rolesView(world, token.apps),
});

interface ListArgs {
  first?: number;
  after?: string;
  search?: string | null;
  disabled?: boolean | null;
  active?: boolean | null;
}

/** The root fields of Query about accounts and API tokens. */
export function accountQueries(world: World) {
  return {
    users: (args: ListArgs) => {
      const text = args.search?.toLowerCase() ?? '';
      const found = world.users
        .filter((user) => user.name.toLowerCase().includes(text))
        .filter((user) => args.disabled == null || args.disabled === (user.disabledAt !== null))
        .sort((a, b) => a.name.localeCompare(b.name));
      const page = pageOf(found, args);
      return { ...page, nodes: page.nodes.map((user) => userView(world, user)) };
    },
    user: ({ id }: { id: string }) => {
      const user = world.users.find((each) => each.id === id);
      return user ? userView(world, user) : null;
    },
    userSessions: ({ user }: { user: string }) => need(world.users, user).sessions,
    apiTokens: (args: ListArgs) => {
      const text = args.search?.toLowerCase() ?? '';
      const active = (token: TokenRecord) =>
        !token.revokedAt && !(token.expiresAt && token.expiresAt <= world.now().toISOString());
      const found = world.tokens
        .filter((token) => token.name.toLowerCase().includes(text))
        .filter((token) => args.active == null || args.active === active(token));
      const page = pageOf(found, args);
      return { ...page, nodes: page.nodes.map((token) => tokenView(world, token)) };
    },
  };
}

interface RolesInput {
  role?: string | null;
  apps?: { app: string; role: string }[] | null;
}

const held = (apps: RolesInput['apps']) =>
  (apps ?? []).map(({ app, role }) => ({ appId: app, role }));

/** The root fields of Mutation about accounts and API tokens. */
export function accountMutations(world: World) {
  const link = () =>
    `http://127.0.0.1:7000/welcome#token=5b1f${String(world.calls.length).padStart(4, '0')}c77e`;
  return {
    createUser: ({ input }: { input: RolesInput & { name: string } }) => {
      const refused = (code: string, message: string, field: string) => ({
        user: null,
        link: null,
        userErrors: [refusal(code, message, ['input', field])],
      });
      if (world.users.some((user) => user.name === input.name)) {
        return refused('TAKEN', `There is another account "${input.name}" already.`, 'name');
      }
      const user = makeUser({
        name: input.name,
        role: input.role ?? null,
        apps: held(input.apps),
        hasPassword: false,
        createdAt: world.now().toISOString(),
      });
      world.users.push(user);
      return { user: userView(world, user), link: link(), userErrors: [] };
    },
    updateUser: ({ input }: { input: RolesInput & { id: string; disabled?: boolean } }) => {
      const user = need(world.users, input.id);
      const losing =
        input.disabled === true || (input.role !== undefined && input.role !== 'ADMIN');
      const others = world.users.filter(
        (each) => each !== user && each.role === 'ADMIN' && !each.disabledAt,
      );
      if (user.role === 'ADMIN' && losing && others.length === 0) {
        const message = `"${user.name}" is the last administrator who can sign in; make another one first.`;
        return { user: null, userErrors: [refusal('CONFLICT', message, ['input', 'id'])] };
      }
      if (input.role !== undefined) user.role = input.role;
      if (input.apps) user.apps = held(input.apps);
      if (input.disabled !== undefined) {
        user.disabledAt = input.disabled ? world.now().toISOString() : null;
        if (input.disabled) user.sessions = [];
      }
      return { user: userView(world, user), userErrors: [] };
    },
    resetUserPassword: ({ id }: { id: string }) => {
      const user = need(world.users, id);
      Object.assign(user, { hasPassword: false, sessions: [] });
      return { user: userView(world, user), link: link(), userErrors: [] };
    },
    endSession: ({ id }: { id: string }) => {
      const own = world.sessions.find((each) => each.id === id);
      if (own) {
        world.sessions = world.sessions.filter((each) => each !== own);
        return { session: own, userErrors: [] };
      }
      const owner = world.users.find((user) => user.sessions.some((each) => each.id === id));
      const session = need(owner?.sessions ?? [], id);
      if (owner) owner.sessions = owner.sessions.filter((each) => each !== session);
      return { session, userErrors: [] };
    },
    ...tokenMutations(world),
  };
}

function tokenMutations(world: World) {
  interface NewToken {
    name: string;
    role: string;
    apps?: string[];
    scopes?: string[];
    expires?: string;
  }
  return {
    createApiToken: ({ input }: { input: NewToken }) => {
      if (input.name === '') {
        const userErrors = [refusal('REQUIRED', 'name is missing.', ['input', 'name'])];
        return { apiToken: null, token: null, userErrors };
      }
      const apps = (input.apps ?? []).map((appId) => ({ appId, role: input.role }));
      const token = makeToken({
        name: input.name,
        role: apps.length > 0 ? null : input.role,
        apps,
        scopes: input.scopes ?? [],
        createdAt: world.now().toISOString(),
        expiresAt: input.expires ? '2027-03-01T08:00:00Z' : null,
      });
      world.tokens.unshift(token);
      const secret = `${token.prefix}4Yt0mB2sV8eN1uXc7hJdLq`;
      return { apiToken: tokenView(world, token), token: secret, userErrors: [] };
    },
    revokeApiToken: ({ id }: { id: string }) => {
      const token = need(world.tokens, id);
      token.revokedAt = world.now().toISOString();
      return { apiToken: tokenView(world, token), userErrors: [] };
    },
  };
}

/** The accounts and tokens of a small team. */
export function addAccounts(world: World): void {
  const [app] = world.apps;
  const apps = app ? [{ appId: app.id, role: 'DEVELOPER' }] : [];
  world.users = [
    makeUser({
      name: 'admin',
      role: 'ADMIN',
      sessions: [makeSession({ current: true }), makeSession()],
    }),
    makeUser({ name: 'li.wei', role: 'VIEWER', apps, sessions: [makeSession()] }),
    makeUser({ name: 'night-shift', role: null, apps, hasPassword: false }),
  ];
  world.tokens = [
    makeToken({
      name: 'grafana',
      scopes: ['TASKS_READ', 'JOBS_READ', 'REPORTS_READ'],
      expiresAt: '2027-03-01T08:00:00Z',
      lastUsedAt: '2026-11-30T07:20:00Z',
    }),
    makeToken({ name: 'deploy pipeline', role: null, apps }),
    makeToken({ name: 'old script', revokedAt: '2026-10-02T08:00:00Z', role: 'ADMIN' }),
  ];
}

/** Ten thousand of each, some with names as long as they may be and roles in many apps. */
export function addManyAccounts(world: World): void {
  addAccounts(world);
  const everywhere = world.apps.slice(0, 40).map(({ id }) => ({ appId: id, role: 'OPERATOR' }));
  for (let i = 0; i < 10_000; i++) {
    const name = i % 97 === 0 ? `${'very-long-name-'.repeat(4)}${i}` : `user-${i}`;
    const apps = i % 7 === 0 ? everywhere : [];
    const disabledAt = i % 11 === 0 ? '2026-10-02T08:00:00Z' : null;
    world.users.push(makeUser({ name: name.slice(0, 64), apps, disabledAt }));
    const scopes =
      i % 5 === 0
        ? [
            'JOBS_READ',
            'JOBS_WRITE',
            'TASKS_READ',
            'TASKS_WRITE',
            'LOGS_READ',
            'ALERTS_READ',
            'NODES_READ',
            'NODES_WRITE',
          ]
        : [];
    world.tokens.push(makeToken({ name: `pipeline ${name}`, apps, scopes }));
  }
}
