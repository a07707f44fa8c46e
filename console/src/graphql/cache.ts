import type { Cache, CacheExchangeOpts, Resolver } from '@urql/exchange-graphcache';
import { schema } from './generated/schema';

/** Types without an id: they live inside the object that holds them. */
const embedded = [
  'Overview',
  'SecurityFinding',
  'MinuteStats',
  'NodeCounts',
  'UpcomingFire',
  'Viewer',
  'SecondFactor',
  'Installation',
  'Trigger',
  'Retry',
  'Routing',
  'Misfire',
  'SkippedFires',
  'JobStats',
  'JobConnection',
  'JobEdge',
  'TaskConnection',
  'TaskEdge',
  'TaskLogConnection',
  'TaskLogLine',
  'TaskLogPart',
  'TaskLogSearch',
  'TimelineEntry',
  'SchedulePreview',
  'WhyNotRun',
  'WhyEvidence',
  'Upstream',
  'Join',
  'Arrival',
  'BackfillConnection',
  'BackfillEdge',
  'BackfillPreview',
  'BulkOperationConnection',
  'BulkOperationEdge',
  'BulkPreview',
  'BulkRefusal',
  'CalendarDay',
  'QuietWindow',
  'ClockChange',
  'ExcludedFire',
  'Upstream',
  'AlertScope',
  'AlertCondition',
  'SeverityWindow',
  'AlertRoute',
  'Escalation',
  'AlertSummary',
  'AlertTrial',
  'AlertTrialEntry',
  'IncidentConnection',
  'IncidentEdge',
  'IncidentEntryConnection',
  'IncidentEntryEdge',
  'SilenceRecurrence',
  'MorningReport',
  'ReportFigures',
  'ReportLine',
  'ChannelTemplate',
  'ChannelKindInfo',
  'MessagePreview',
  'NotificationConnection',
  'NotificationEdge',
  'DeliveryTry',
  'Contacts',
  'AppRole',
  'AuditConnection',
  'AuditEdge',
  'UserConnection',
  'UserEdge',
  'ApiTokenConnection',
  'ApiTokenEdge',
  'PageInfo',
  'JobRevision',
  'JobRevisionConnection',
  'JobRevisionEdge',
  'JobFieldChange',
  'HandlerSlots',
  'StuckAttempt',
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

// An entity that some list has brought already is shown at once. What the server has answered
// to this very question counts for more: it may have said that there is none.
const byId =
  (type: string): Resolver =>
  (_parent, args, cache, info) => {
    const known = cache.resolve(info.parentKey, info.fieldName, args);
    return known === undefined ? { __typename: type, id: args.id as string } : known;
  };

/** The normalised cache: entities by id; mutations that add or remove forget the lists. */
export const cacheOptions: CacheExchangeOpts = {
  schema,
  keys: Object.fromEntries(embedded.map((type) => [type, () => null])),
  resolvers: {
    Query: {
      alertChannel: byId('AlertChannel'),
      alertRule: byId('AlertRule'),
      incident: byId('Incident'),
      notification: byId('Notification'),
      calendar: byId('Calendar'),
      job: byId('Job'),
      task: byId('Task'),
      backfill: byId('Backfill'),
      bulkOperation: byId('BulkOperation'),
      node: byId('Node'),
      nodeGroup: byId('NodeGroup'),
      user: byId('User'),
    },
  },
  updates: {
    Mutation: {
      createJob: forgetting('jobs', 'overview', 'apps', 'app', 'nodeGroups'),
      deleteJob: forgetting('jobs', 'overview', 'apps', 'app', 'nodeGroups'),
      // The definition is read again by whoever shows it.
      rollBackJob: (result, args, cache) => {
        const { job } = result.rollBackJob as { job: object | null };
        if (job) cache.invalidate({ __typename: 'Job', id: args.id as string });
      },
      triggerJob: forgetting('tasks'),
      createBackfill: forgetting('tasks', 'backfills'),
      createBulkOperation: forgetting('bulkOperations'),
      createCalendar: forgetting('calendars'),
      deleteCalendar: forgetting('calendars'),
      createAlertChannel: forgetting('alertChannels'),
      deleteAlertChannel: forgetting('alertChannels', 'alertRules'),
      createAlertRule: forgetting('alertRules'),
      deleteAlertRule: forgetting('alertRules'),
      // What is silenced, and until when, stands with the incidents.
      createSilence: forgetting('silences', 'incidents', 'incident'),
      endSilence: forgetting('silences', 'incidents', 'incident'),
      createReportSchedule: forgetting('reportSchedules'),
      deleteReportSchedule: forgetting('reportSchedules'),
      createApp: forgetting('apps', 'app', 'nodeGroups'),
      deleteApp: forgetting('apps', 'app', 'nodeGroups'),
      createAppKey: forgetting('apps', 'app'),
      createNodeGroup: forgetting('apps', 'app', 'nodeGroups'),
      deleteNodeGroup: forgetting('apps', 'app', 'nodeGroups'),
      createUser: forgetting('users'),
      updateUser: forgetting('users', 'userSessions'),
      resetUserPassword: forgetting('userSessions'),
      createApiToken: forgetting('apiTokens'),
      revokeApiToken: forgetting('apiTokens'),
      endSession: forgetting('sessions', 'userSessions'),
      removeNode: forgetting('nodes', 'apps', 'app', 'nodeGroups'),
    },
  },
};
