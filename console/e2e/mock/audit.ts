import { pageOf } from './page.ts';
import { appView } from './queries.ts';
import type { World } from './world.ts';

export interface AuditRecord {
  id: string;
  at: string;
  actor: string;
  actorKind: string;
  action: string;
  kind: string;
  object: string | null;
  name: string | null;
  appId: string | null;
  address: string | null;
  agent: string | null;
  requestId: string | null;
  before: unknown;
  after: unknown;
  detail: unknown;
}

let made = 0;

export function makeAudit(over: Partial<AuditRecord> = {}): AuditRecord {
  return {
    id: `audit-${++made}`,
    at: '2026-11-30T07:10:00Z',
    actor: 'admin',
    actorKind: 'PERSON',
    action: 'job.update',
    kind: 'job',
    object: 'jobnightly',
    name: 'reconcile-payments',
    appId: null,
    address: '192.0.2.7',
    agent: 'Firefox',
    requestId: 'QMZ2GD4T7XGQH2P5W6ND3LRVJE',
    before: { timeout: '5m0s', description: '' },
    after: { timeout: '10m0s', description: 'Compares the books.' },
    detail: null,
    ...over,
  };
}

type Filter = Partial<Record<'actor' | 'kind' | 'object' | 'action' | 'app' | 'search', string>>;

/** The root field of Query about the audit trail. */
export function auditQueries(world: World) {
  return {
    auditTrail: (args: { first?: number; after?: string; filter?: Filter | null }) => {
      const f = args.filter ?? {};
      const found = world.audits
        .filter((row) => !f.actor || row.actor === f.actor)
        .filter((row) => !f.kind || row.kind === f.kind)
        .filter((row) => !f.object || row.object === f.object)
        .filter((row) => !f.action || row.action === f.action)
        .filter((row) => !f.app || row.appId === f.app)
        .filter((row) => !f.search || JSON.stringify(row).includes(f.search));
      const page = pageOf(found, args);
      const nodes = page.nodes.map((row) => {
        const app = world.apps.find((each) => each.id === row.appId);
        return { ...row, app: app ? appView(world, app) : null };
      });
      return { ...page, nodes, searchedTo: null };
    },
  };
}

/** Some changes of a small team. */
export function addAudits(world: World, count = 3): void {
  const appId = world.apps[0]?.id ?? null;
  const kinds = [
    makeAudit({ appId }),
    makeAudit({
      actor: 'deploy pipeline',
      actorKind: 'TOKEN',
      action: 'job.create',
      agent: 'belfry',
      before: null,
      after: { name: 'reconcile-payments', handler: 'payments.reconcile' },
      appId,
    }),
    makeAudit({
      action: 'user.permit',
      kind: 'user',
      object: 'user-2',
      name: 'li.wei',
      before: { role: 'VIEWER' },
      after: { role: 'OPERATOR' },
    }),
  ];
  for (let i = 0; i < count; i++) {
    const row = kinds[i % kinds.length];
    if (row) world.audits.push({ ...row, id: `audit-row-${i}` });
  }
}
