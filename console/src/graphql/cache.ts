import type { Cache, CacheExchangeOpts } from '@urql/exchange-graphcache';
import { schema } from './generated/schema';

/** Types without an id: they live inside the object that holds them. */
const embedded = [
  'Overview',
  'MinuteStats',
  'NodeCounts',
  'UpcomingFire',
  'Viewer',
  'Installation',
  'Trigger',
  'Retry',
  'Misfire',
  'SkippedFires',
  'JobStats',
  'JobConnection',
  'JobEdge',
  'TaskConnection',
  'TaskEdge',
  'TaskLogConnection',
  'TaskLogLine',
  'TimelineEntry',
  'SchedulePreview',
  'PageInfo',
  'UserError',
];

/** Makes the next reader of these root fields ask the server again. */
export function forget(cache: Cache, ...fields: string[]): void {
  for (const field of cache.inspectFields('Query')) {
    if (fields.includes(field.fieldName)) cache.invalidate('Query', field.fieldKey);
  }
}

const forgetting =
  (...fields: string[]) =>
  (_result: unknown, _args: unknown, cache: Cache) =>
    forget(cache, ...fields);

/** The normalised cache: entities by id; mutations that add or remove forget the lists. */
export const cacheOptions: CacheExchangeOpts = {
  schema,
  keys: Object.fromEntries(embedded.map((type) => [type, () => null])),
  resolvers: {
    Query: {
      job: (_parent, args) => ({ __typename: 'Job', id: args.id as string }),
      task: (_parent, args) => ({ __typename: 'Task', id: args.id as string }),
      node: (_parent, args) => ({ __typename: 'Node', id: args.id as string }),
      nodeGroup: (_parent, args) => ({ __typename: 'NodeGroup', id: args.id as string }),
    },
  },
  updates: {
    Mutation: {
      createJob: forgetting('jobs', 'overview', 'apps', 'app', 'nodeGroups'),
      deleteJob: forgetting('jobs', 'overview', 'apps', 'app', 'nodeGroups'),
      triggerJob: forgetting('tasks'),
      createApp: forgetting('apps', 'app', 'nodeGroups'),
      deleteApp: forgetting('apps', 'app', 'nodeGroups'),
      createAppKey: forgetting('apps', 'app'),
      createNodeGroup: forgetting('apps', 'app', 'nodeGroups'),
      deleteNodeGroup: forgetting('apps', 'app', 'nodeGroups'),
      removeNode: forgetting('nodes', 'apps', 'app', 'nodeGroups'),
    },
  },
};
