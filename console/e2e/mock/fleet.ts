import { makeApp, makeGroup } from './factories.ts';
import { appView, groupView, need, nodeView } from './queries.ts';
import type { GroupRecord, KeyRecord } from './records.ts';
import { refusal } from './refusal.ts';
import type { World } from './world.ts';

/** The root fields of Mutation about apps, their keys, node groups and nodes. */
export function fleetMutations(world: World) {
  return { ...appMutations(world), ...groupMutations(world), ...nodeMutations(world) };
}

function appMutations(world: World) {
  const newKey = (): { record: KeyRecord; secret: string } => {
    const prefix = `bfk_${String(world.calls.length).padStart(4, '0')}`;
    const record = {
      id: `key-${prefix}`,
      prefix,
      createdAt: world.now().toISOString(),
      lastUsedAt: null,
      revokedAt: null,
    };
    return { record, secret: `${prefix}_5e2d7c90b1a84f36` };
  };
  return {
    createApp: ({ input }: { input: { name: string; description?: string | null } }) => {
      if (world.apps.some((a) => a.name === input.name)) {
        const message = `There is an app "${input.name}" already. Choose another name.`;
        const userErrors = [refusal('TAKEN', message, ['input', 'name'])];
        return { app: null, key: null, userErrors };
      }
      const { record, secret } = newKey();
      const app = makeApp({
        name: input.name,
        description: input.description ?? '',
        keys: [record],
      });
      world.apps.push(app);
      world.groups.push(makeGroup(app));
      return { app: appView(world, app), key: secret, userErrors: [] };
    },
    updateApp: ({ input }: { input: { id: string; description: string } }) => {
      const app = need(world.apps, input.id);
      app.description = input.description;
      return { app: appView(world, app), userErrors: [] };
    },
    deleteApp: ({ id }: { id: string }) => {
      const app = need(world.apps, id);
      const view = appView(world, app);
      world.apps = world.apps.filter((a) => a !== app);
      world.groups = world.groups.filter((g) => g.appId !== id);
      return { app: view, userErrors: [] };
    },
    createAppKey: ({ app }: { app: string }) => {
      const { record, secret } = newKey();
      need(world.apps, app).keys.push(record);
      return { appKey: record, key: secret, userErrors: [] };
    },
    revokeAppKey: ({ id }: { id: string }) => {
      const key = need(
        world.apps.flatMap((a) => a.keys),
        id,
      );
      key.revokedAt = world.now().toISOString();
      return { appKey: key, userErrors: [] };
    },
  };
}

function groupMutations(world: World) {
  return {
    createNodeGroup: ({ input }: { input: Partial<GroupRecord> & { app: string } }) => {
      const { app, ...rules } = input;
      const group = makeGroup(need(world.apps, app), rules);
      world.groups.push(group);
      return { nodeGroup: groupView(world, group), userErrors: [] };
    },
    updateNodeGroup: ({ input }: { input: Partial<GroupRecord> & { id: string } }) => {
      if (input.maxRunning !== undefined && Number(input.maxRunning) > 100_000) {
        const message = `maxRunning is ${input.maxRunning}. Use 1 to 100,000.`;
        const userErrors = [refusal('INVALID', message, ['input', 'maxRunning'])];
        return { nodeGroup: null, userErrors };
      }
      const group = Object.assign(need(world.groups, input.id), input);
      return { nodeGroup: groupView(world, group), userErrors: [] };
    },
    deleteNodeGroup: ({ id }: { id: string }) => {
      const group = need(world.groups, id);
      const view = groupView(world, group);
      world.groups = world.groups.filter((g) => g !== group);
      return { nodeGroup: view, userErrors: [] };
    },
  };
}

function nodeMutations(world: World) {
  const setNode = (id: string, state: string) => {
    const message = world.refusals.get(id);
    if (message) return { node: null, userErrors: [refusal('CONFLICT', message)] };
    const node = need(world.nodes, id);
    node.state = state;
    world.nodeChanged(node);
    return { node: nodeView(world, node), userErrors: [] };
  };
  return {
    drainNode: ({ id }: { id: string }) => setNode(id, 'DRAINING'),
    resumeNode: ({ id }: { id: string }) => setNode(id, 'ONLINE'),
    removeNode: ({ id }: { id: string }) => {
      const message = world.refusals.get(id);
      if (message) return { node: null, userErrors: [refusal('CONFLICT', message)] };
      const node = need(world.nodes, id);
      const view = nodeView(world, node);
      world.nodes = world.nodes.filter((n) => n !== node);
      return { node: view, userErrors: [] };
    },
  };
}
