// Written by `npm run codegen`. Do not edit.
export const tokenScopeValues = ['JOBS_READ', 'JOBS_WRITE', 'TASKS_READ', 'TASKS_WRITE', 'LOGS_READ', 'ALERTS_READ', 'ALERTS_WRITE', 'NODES_READ', 'NODES_WRITE', 'REPORTS_READ', 'REPORTS_WRITE', 'ADMINISTRATION_READ', 'ADMINISTRATION_WRITE'] as const;
export type TokenScope = (typeof tokenScopeValues)[number];

export const alertEventKindValues = ['ATTEMPT_FAILED', 'RETRIES_EXHAUSTED', 'RECOVERED', 'TIMED_OUT', 'LOST', 'POISON', 'PARKED', 'FIRE_MISSED', 'FIRE_LATE', 'SCHEDULE_STOPPED', 'RUN_TOO_LONG', 'NOT_FINISHED_BY', 'NODE_OFFLINE', 'GROUP_EMPTY', 'QUEUE_BACKLOG', 'SERVER_LOST', 'REDIS_DEGRADED', 'DATABASE_DEGRADED'] as const;
export type AlertEventKind = (typeof alertEventKindValues)[number];

export const alertScopeKindValues = ['ALL', 'APP', 'GROUP', 'LABELS', 'JOB'] as const;
export type AlertScopeKind = (typeof alertScopeKindValues)[number];

export const alertNoticeValues = ['OPENED', 'REPEATED', 'RECOVERED'] as const;
export type AlertNotice = (typeof alertNoticeValues)[number];

export const incidentStateValues = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED'] as const;
export type IncidentState = (typeof incidentStateValues)[number];

export const incidentEntryKindValues = ['OPENED', 'EVENT', 'ACKNOWLEDGED', 'UNACKNOWLEDGED', 'ESCALATED', 'NOTIFIED', 'SUPPRESSED', 'SILENCED', 'FLAPPING', 'RECOVERED', 'RESOLVED', 'REOPENED', 'COMMENT'] as const;
export type IncidentEntryKind = (typeof incidentEntryKindValues)[number];

export const silenceKindValues = ['SILENCE', 'MAINTENANCE'] as const;
export type SilenceKind = (typeof silenceKindValues)[number];

export const backfillStateValues = ['RUNNING', 'PAUSED', 'FINISHED', 'CANCELLED'] as const;
export type BackfillState = (typeof backfillStateValues)[number];

export const placeValues = ['ALL_APPS', 'ANY', 'APP', 'APP_NAME', 'APP_KEY', 'GROUP', 'NODE', 'JOB', 'TASK', 'CALENDAR', 'BACKFILL', 'INCIDENT'] as const;
export type Place = (typeof placeValues)[number];

export const roleValues = ['VIEWER', 'OPERATOR', 'DEVELOPER', 'ADMIN'] as const;
export type Role = (typeof roleValues)[number];

export const bulkKindValues = ['RETRY', 'DISCARD', 'CANCEL'] as const;
export type BulkKind = (typeof bulkKindValues)[number];

export const bulkStateValues = ['RUNNING', 'FINISHED', 'CANCELLED'] as const;
export type BulkState = (typeof bulkStateValues)[number];

export const weekdayValues = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;
export type Weekday = (typeof weekdayValues)[number];

export const calendarDayKindValues = ['REST', 'WORK'] as const;
export type CalendarDayKind = (typeof calendarDayKindValues)[number];

export const quietRuleValues = ['SKIP', 'DELAY'] as const;
export type QuietRule = (typeof quietRuleValues)[number];

export const calendarRuleValues = ['SKIP', 'NEXT_WORKING_DAY', 'PREVIOUS_WORKING_DAY'] as const;
export type CalendarRule = (typeof calendarRuleValues)[number];

export const calendarFormatValues = ['ICS', 'LIST'] as const;
export type CalendarFormat = (typeof calendarFormatValues)[number];

export const channelKindValues = ['DINGTALK', 'FEISHU', 'WECOM', 'SLACK', 'TEAMS', 'TELEGRAM', 'DISCORD', 'WEBHOOK', 'EMAIL'] as const;
export type ChannelKind = (typeof channelKindValues)[number];

export const messageKindValues = ['PROBLEM', 'DIGEST', 'ESCALATION', 'RECOVERY', 'FLAPPING', 'SILENCE_ENDS', 'REPORT', 'CHANNEL_TEST', 'CHANNEL_DISABLED'] as const;
export type MessageKind = (typeof messageKindValues)[number];

export const smtpSecurityValues = ['STARTTLS', 'TLS', 'NONE'] as const;
export type SmtpSecurity = (typeof smtpSecurityValues)[number];

export const triggerKindValues = ['CRON', 'FIXED_RATE', 'FIXED_DELAY', 'DELAY', 'MANUAL', 'API', 'DEPENDENCY', 'BACKFILL'] as const;
export type TriggerKind = (typeof triggerKindValues)[number];

export const concurrencyPolicyValues = ['ALLOW', 'SKIP', 'QUEUE', 'REPLACE'] as const;
export type ConcurrencyPolicy = (typeof concurrencyPolicyValues)[number];

export const deliveryValues = ['AT_LEAST_ONCE', 'AT_MOST_ONCE'] as const;
export type Delivery = (typeof deliveryValues)[number];

export const keyRuleValues = ['KEEP', 'RESCHEDULE', 'REPLACE'] as const;
export type KeyRule = (typeof keyRuleValues)[number];

export const priorityValues = ['LOW', 'NORMAL', 'HIGH', 'CRITICAL'] as const;
export type Priority = (typeof priorityValues)[number];

export const backoffValues = ['FIXED', 'EXPONENTIAL'] as const;
export type Backoff = (typeof backoffValues)[number];

export const misfirePolicyValues = ['SKIP', 'FIRE_ONCE', 'FIRE_ALL'] as const;
export type MisfirePolicy = (typeof misfirePolicyValues)[number];

export const dependencyConditionValues = ['SUCCESS', 'FAILURE', 'COMPLETION'] as const;
export type DependencyCondition = (typeof dependencyConditionValues)[number];

export const dependencyModeValues = ['ALL', 'ANY'] as const;
export type DependencyMode = (typeof dependencyModeValues)[number];

export const dependencyWindowValues = ['RUN', 'HOUR', 'DAY', 'WEEK', 'MONTH'] as const;
export type DependencyWindow = (typeof dependencyWindowValues)[number];

export const jobOrderValues = ['NAME', 'NEXT_FIRE', 'CREATED'] as const;
export type JobOrder = (typeof jobOrderValues)[number];

export const routingStrategyValues = ['LEAST_LOADED', 'ROUND_ROBIN', 'RANDOM', 'CONSISTENT_HASH', 'STICKY', 'PINNED', 'LABELS', 'BROADCAST'] as const;
export type RoutingStrategy = (typeof routingStrategyValues)[number];

export const pinFallbackValues = ['WAIT', 'ANY', 'FAIL'] as const;
export type PinFallback = (typeof pinFallbackValues)[number];

export const nodeStateValues = ['ONLINE', 'SUSPECT', 'OFFLINE', 'DRAINING'] as const;
export type NodeState = (typeof nodeStateValues)[number];

export const groupLimitValues = ['SLOTS', 'MAX_RUNNING', 'RELEASE_RATE', 'JOB_LIMITS', 'NO_NODES'] as const;
export type GroupLimit = (typeof groupLimitValues)[number];

export const notificationStateValues = ['QUEUED', 'SENT', 'FAILED', 'SUPPRESSED', 'DROPPED'] as const;
export type NotificationState = (typeof notificationStateValues)[number];

export const alertSeverityValues = ['INFO', 'WARNING', 'CRITICAL'] as const;
export type AlertSeverity = (typeof alertSeverityValues)[number];

export const authorKindValues = ['PERSON', 'TOKEN', 'SYSTEM'] as const;
export type AuthorKind = (typeof authorKindValues)[number];

export const signInMethodValues = ['PASSWORD', 'LINK', 'PROVIDER'] as const;
export type SignInMethod = (typeof signInMethodValues)[number];

export const securitySeverityValues = ['HIGH', 'MEDIUM', 'LOW'] as const;
export type SecuritySeverity = (typeof securitySeverityValues)[number];

export const securityFindingCodeValues = ['NO_TLS', 'CERTIFICATE_ENDS', 'SECRET_KEY_OLD', 'SECRET_KEY_UNKNOWN', 'TOKEN_WITHOUT_END', 'TOKEN_UNUSED', 'APP_KEY_UNUSED', 'APP_KEY_OLD', 'ADMIN_SINGLE', 'ADMIN_SHARED', 'ADMIN_ONE_FACTOR', 'INTROSPECTION_OPEN', 'CLOCK_OFF', 'REDIS_NO_PASSWORD', 'REDIS_NO_TLS', 'DATABASE_NO_TLS', 'DATABASE_NO_PASSWORD', 'DATABASE_ROOT', 'ALLOW_LIST_WIDE', 'MASKING_OFF'] as const;
export type SecurityFindingCode = (typeof securityFindingCodeValues)[number];

export const serverStateValues = ['LIVE', 'STOPPING', 'LOST'] as const;
export type ServerState = (typeof serverStateValues)[number];

export const lockModeValues = ['LOCAL', 'DATABASE', 'REDIS'] as const;
export type LockMode = (typeof lockModeValues)[number];

export const taskStateValues = ['WAITING', 'RUNNING', 'RETRYING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'SKIPPED', 'DISCARDED'] as const;
export type TaskState = (typeof taskStateValues)[number];

export const attemptStateValues = ['PENDING', 'DISPATCHED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'LOST', 'CANCELLED'] as const;
export type AttemptState = (typeof attemptStateValues)[number];

export const timelineKindValues = ['CREATED', 'DISPATCHED', 'STARTED', 'ATTEMPT_ENDED', 'RETRY_SCHEDULED', 'CANCEL_REQUESTED', 'STALE_REFUSED', 'RETRIED', 'RESCHEDULED', 'FINISHED'] as const;
export type TimelineKind = (typeof timelineKindValues)[number];

export const logLevelValues = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
export type LogLevel = (typeof logLevelValues)[number];

export const whyCodeValues = ['RAN', 'WILL_RUN', 'WAITING', 'RUNNING', 'NO_FIRE', 'NOT_CREATED_YET', 'DELETED', 'PAUSED', 'INVALID_TRIGGER', 'BEFORE_START', 'AFTER_END', 'CALENDAR_REST_DAY', 'CALENDAR_QUIET', 'MOVED', 'MISFIRE', 'EDITED', 'OVERLAP', 'COALESCED', 'CANCELLED', 'FAILED', 'NEVER_BY_ITSELF', 'UPSTREAM_MISSING', 'UPSTREAM_CONDITION', 'SERVER_LATE', 'NO_WORKER', 'LIMITED', 'UNKNOWN'] as const;
export type WhyCode = (typeof whyCodeValues)[number];

export const downstreamRuleValues = ['NONE', 'TRIGGERS', 'ALL'] as const;
export type DownstreamRule = (typeof downstreamRuleValues)[number];
