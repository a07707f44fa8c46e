/* eslint-disable */
import * as types from './graphql';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query FailedCount {\n    overview {\n      failedQueue\n    }\n  }\n": typeof types.FailedCountDocument,
    "\n  subscription FailedCountChanged {\n    overviewChanged {\n      failedQueue\n    }\n  }\n": typeof types.FailedCountChangedDocument,
    "\n  query PaletteJobs($search: String!) {\n    jobs(first: 8, filter: { search: $search }) {\n      nodes {\n        id\n        name\n        app {\n          id\n          name\n        }\n      }\n    }\n  }\n": typeof types.PaletteJobsDocument,
    "\n  mutation UpdateViewer($input: UpdateViewerInput!) {\n    updateViewer(input: $input) {\n      viewer {\n        name\n        isToken\n        role\n        roleInAllApps\n        locale\n        timeZone\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.UpdateViewerDocument,
    "\n  fragment PersonFields on Person {\n    id\n    name\n    contacts {\n      email\n      mobile\n      feishuId\n      wecomId\n      slackId\n      telegramId\n      discordId\n    }\n  }\n": typeof types.PersonFieldsFragmentDoc,
    "\n  query People {\n    people {\n      ...PersonFields\n    }\n  }\n": typeof types.PeopleDocument,
    "\n  mutation UpdateContacts($input: UpdateContactsInput!) {\n    updateContacts(input: $input) {\n      person {\n        ...PersonFields\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.UpdateContactsDocument,
    "\n  fragment SecondFactorFields on SecondFactor {\n    since\n    recoveryCodesLeft\n    required\n    available\n  }\n": typeof types.SecondFactorFieldsFragmentDoc,
    "\n  query SecondFactor {\n    secondFactor {\n      ...SecondFactorFields\n    }\n  }\n": typeof types.SecondFactorDocument,
    "\n  mutation BeginSecondFactor($currentPassword: String!) {\n    beginSecondFactor(currentPassword: $currentPassword) {\n      secret\n      qr\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.BeginSecondFactorDocument,
    "\n  mutation ConfirmSecondFactor($code: String!) {\n    confirmSecondFactor(code: $code) {\n      recoveryCodes\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.ConfirmSecondFactorDocument,
    "\n  mutation RenewRecoveryCodes($currentPassword: String!) {\n    renewRecoveryCodes(currentPassword: $currentPassword) {\n      recoveryCodes\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.RenewRecoveryCodesDocument,
    "\n  mutation RemoveSecondFactor($currentPassword: String!) {\n    removeSecondFactor(currentPassword: $currentPassword) {\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.RemoveSecondFactorDocument,
    "\n  fragment OwnSessionRow on Session {\n    id\n    current\n    createdAt\n    lastSeenAt\n    expiresAt\n    method\n    address\n    agent\n  }\n": typeof types.OwnSessionRowFragmentDoc,
    "\n  query OwnSessions {\n    sessions {\n      ...OwnSessionRow\n    }\n  }\n": typeof types.OwnSessionsDocument,
    "\n  mutation EndOwnSession($id: ID!) {\n    endSession(id: $id) {\n      session {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.EndOwnSessionDocument,
    "\n  fragment ChannelRow on AlertChannel {\n    id\n    name\n    kind\n    enabled\n    disabledReason\n    language\n    perMinute\n    burst\n    queued\n    lastSentAt\n    lastError\n    createdAt\n    version\n  }\n": typeof types.ChannelRowFragmentDoc,
    "\n  fragment ChannelDetail on AlertChannel {\n    ...ChannelRow\n    settings\n    maxAge\n    templates {\n      kind\n      subject\n      body\n    }\n  }\n": typeof types.ChannelDetailFragmentDoc,
    "\n  query AlertChannels {\n    alertChannels {\n      ...ChannelRow\n    }\n  }\n": typeof types.AlertChannelsDocument,
    "\n  query AlertChannel($id: ID!) {\n    alertChannel(id: $id) {\n      ...ChannelDetail\n    }\n  }\n": typeof types.AlertChannelDocument,
    "\n  query ChannelKinds {\n    channelKinds {\n      kind\n      perMinute\n      burst\n      sizeLimit\n      sizeUnit\n      note\n    }\n  }\n": typeof types.ChannelKindsDocument,
    "\n  mutation CreateAlertChannel($input: AlertChannelInput!) {\n    createAlertChannel(input: $input) {\n      channel {\n        ...ChannelDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CreateAlertChannelDocument,
    "\n  mutation UpdateAlertChannel($id: ID!, $input: AlertChannelInput!) {\n    updateAlertChannel(id: $id, input: $input) {\n      channel {\n        ...ChannelDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.UpdateAlertChannelDocument,
    "\n  mutation DeleteAlertChannel($id: ID!) {\n    deleteAlertChannel(id: $id) {\n      channel {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.DeleteAlertChannelDocument,
    "\n  mutation EnableAlertChannel($id: ID!) {\n    enableAlertChannel(id: $id) {\n      channel {\n        ...ChannelRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.EnableAlertChannelDocument,
    "\n  mutation DisableAlertChannel($id: ID!) {\n    disableAlertChannel(id: $id) {\n      channel {\n        ...ChannelRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.DisableAlertChannelDocument,
    "\n  mutation TestAlertChannel($id: ID!) {\n    testAlertChannel(id: $id) {\n      ok\n      status\n      response\n      error\n      duration\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.TestAlertChannelDocument,
    "\n  query MessagePreview($input: MessagePreviewInput!) {\n    messagePreview(input: $input) {\n      subject\n      body\n      bytes\n      truncated\n      error {\n        ...UserError\n      }\n    }\n  }\n": typeof types.MessagePreviewDocument,
    "\n  fragment RuleRow on AlertRule {\n    id\n    name\n    description\n    enabled\n    zone\n    severity\n    openIncidents\n    version\n    updatedAt\n    scope {\n      ...ScopeFields\n    }\n    conditions {\n      event\n      count\n      of\n      rate\n      window\n      longerThan\n      factor\n      by\n      depth\n      age\n    }\n    windows {\n      days\n      from\n      to\n      severity\n    }\n    routes {\n      severities\n      digestAt\n      channels {\n        id\n        name\n      }\n      people {\n        id\n        name\n      }\n    }\n  }\n": typeof types.RuleRowFragmentDoc,
    "\n  fragment RuleDetail on AlertRule {\n    ...RuleRow\n    escalation {\n      after\n      channels {\n        id\n        name\n      }\n      people {\n        id\n        name\n      }\n    }\n    repeatEvery\n    maxPerHour\n    groupWait\n    groupInterval\n    notices\n    createdBy\n    createdAt\n  }\n": typeof types.RuleDetailFragmentDoc,
    "\n  query AlertRules($app: ID) {\n    alertRules(app: $app) {\n      ...RuleRow\n    }\n  }\n": typeof types.AlertRulesDocument,
    "\n  query AlertRule($id: ID!) {\n    alertRule(id: $id) {\n      ...RuleDetail\n    }\n  }\n": typeof types.AlertRuleDocument,
    "\n  query AlertRuleTrial($input: AlertRuleInput!, $days: Int!) {\n    alertRuleTrial(input: $input, days: $days) {\n      events\n      incidents\n      messages\n      suppressed\n      coveredFrom\n      entries {\n        at\n        channel\n        severity\n        digest\n        sent\n        title\n        problems\n      }\n      error {\n        ...UserError\n      }\n    }\n  }\n": typeof types.AlertRuleTrialDocument,
    "\n  mutation CreateAlertRule($input: AlertRuleInput!) {\n    createAlertRule(input: $input) {\n      alertRule {\n        ...RuleDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CreateAlertRuleDocument,
    "\n  mutation UpdateAlertRule($id: ID!, $input: AlertRuleInput!) {\n    updateAlertRule(id: $id, input: $input) {\n      alertRule {\n        ...RuleDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.UpdateAlertRuleDocument,
    "\n  mutation DeleteAlertRule($id: ID!) {\n    deleteAlertRule(id: $id) {\n      alertRule {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.DeleteAlertRuleDocument,
    "\n  mutation EnableAlertRule($id: ID!) {\n    enableAlertRule(id: $id) {\n      alertRule {\n        ...RuleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.EnableAlertRuleDocument,
    "\n  mutation DisableAlertRule($id: ID!) {\n    disableAlertRule(id: $id) {\n      alertRule {\n        ...RuleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.DisableAlertRuleDocument,
    "\n  query RuleJob($id: ID!) {\n    job(id: $id) {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n  }\n": typeof types.RuleJobDocument,
    "\n  fragment ScopeFields on AlertScope {\n    kind\n    labels\n    app {\n      id\n      name\n    }\n    group {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n    job {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n  }\n": typeof types.ScopeFieldsFragmentDoc,
    "\n  fragment AlertSummaryFields on AlertSummary {\n    open\n    acknowledged\n    critical\n  }\n": typeof types.AlertSummaryFieldsFragmentDoc,
    "\n  query AlertSummary {\n    alertSummary {\n      ...AlertSummaryFields\n    }\n  }\n": typeof types.AlertSummaryDocument,
    "\n  subscription AlertSummaryChanged {\n    alertSummaryChanged {\n      ...AlertSummaryFields\n    }\n  }\n": typeof types.AlertSummaryChangedDocument,
    "\n  query ScopeGroups {\n    nodeGroups {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n    apps {\n      id\n      name\n    }\n  }\n": typeof types.ScopeGroupsDocument,
    "\n  query ScopeJobs($search: String) {\n    jobs(first: 30, filter: { search: $search }) {\n      nodes {\n        id\n        name\n        app {\n          id\n          name\n        }\n      }\n    }\n  }\n": typeof types.ScopeJobsDocument,
    "\n  query Receivers {\n    alertChannels {\n      id\n      name\n      kind\n      enabled\n    }\n    people {\n      id\n      name\n    }\n  }\n": typeof types.ReceiversDocument,
    "\n  fragment AppRow on App {\n    id\n    name\n    description\n    createdAt\n    jobCount\n    onlineNodeCount\n  }\n": typeof types.AppRowFragmentDoc,
    "\n  query Apps {\n    apps {\n      ...AppRow\n      keys {\n        id\n        revokedAt\n      }\n    }\n  }\n": typeof types.AppsDocument,
    "\n  fragment KeyRow on AppKey {\n    id\n    prefix\n    createdAt\n    lastUsedAt\n    revokedAt\n  }\n": typeof types.KeyRowFragmentDoc,
    "\n  query AppPage($name: String!) {\n    app(name: $name) {\n      ...AppRow\n      keys {\n        ...KeyRow\n      }\n      nodeGroups {\n        id\n        name\n      }\n    }\n    installation {\n      publicUrl\n    }\n  }\n": typeof types.AppPageDocument,
    "\n  query InstallationAddress {\n    installation {\n      publicUrl\n    }\n  }\n": typeof types.InstallationAddressDocument,
    "\n  mutation CreateApp($input: CreateAppInput!) {\n    createApp(input: $input) {\n      app {\n        ...AppRow\n        keys {\n          ...KeyRow\n        }\n        nodeGroups {\n          id\n          name\n        }\n      }\n      key\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CreateAppDocument,
    "\n  mutation UpdateApp($input: UpdateAppInput!) {\n    updateApp(input: $input) {\n      app {\n        id\n        description\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.UpdateAppDocument,
    "\n  mutation DeleteApp($id: ID!) {\n    deleteApp(id: $id) {\n      app {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.DeleteAppDocument,
    "\n  mutation CreateAppKey($app: ID!) {\n    createAppKey(app: $app) {\n      appKey {\n        ...KeyRow\n      }\n      key\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CreateAppKeyDocument,
    "\n  mutation RevokeAppKey($id: ID!) {\n    revokeAppKey(id: $id) {\n      appKey {\n        ...KeyRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.RevokeAppKeyDocument,
    "\n  fragment AuditRow on AuditEntry {\n    id\n    at\n    actor\n    actorKind\n    action\n    kind\n    object\n    name\n    app {\n      id\n      name\n    }\n    address\n    agent\n    requestId\n    before\n    after\n    detail\n  }\n": typeof types.AuditRowFragmentDoc,
    "\n  query AuditTrail($first: Int, $after: String, $filter: AuditFilter) {\n    auditTrail(first: $first, after: $after, filter: $filter) {\n      nodes {\n        ...AuditRow\n      }\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      searchedTo\n    }\n  }\n": typeof types.AuditTrailDocument,
    "\n  fragment BackfillRow on Backfill {\n    id\n    from\n    to\n    state\n    onlyMissing\n    perMinute\n    maxRunning\n    parameters\n    total\n    created\n    present\n    succeeded\n    failed\n    cancelled\n    progress\n    nextAt\n    createdBy\n    createdAt\n    finishedAt\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n    }\n  }\n": typeof types.BackfillRowFragmentDoc,
    "\n  query JobBackfills($job: ID!, $first: Int!, $after: String) {\n    backfills(job: $job, first: $first, after: $after) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...BackfillRow\n      }\n    }\n  }\n": typeof types.JobBackfillsDocument,
    "\n  query BackfillPage($id: ID!) {\n    backfill(id: $id) {\n      ...BackfillRow\n    }\n  }\n": typeof types.BackfillPageDocument,
    "\n  query BackfillTasks($id: ID!, $first: Int!, $after: String) {\n    backfill(id: $id) {\n      id\n      tasks(first: $first, after: $after) {\n        pageInfo {\n          hasNextPage\n          hasPreviousPage\n          startCursor\n          endCursor\n        }\n        nodes {\n          ...TaskRow\n        }\n      }\n    }\n  }\n": typeof types.BackfillTasksDocument,
    "\n  query BackfillPreview($input: CreateBackfillInput!) {\n    backfillPreview(input: $input) {\n      total\n      atLeast\n      present\n      first\n      last\n      sample\n      duration\n      warnings\n      error {\n        ...UserError\n      }\n    }\n  }\n": typeof types.BackfillPreviewDocument,
    "\n  subscription BackfillChanged($id: ID!) {\n    backfillChanged(id: $id) {\n      ...BackfillRow\n    }\n  }\n": typeof types.BackfillChangedDocument,
    "\n  mutation CreateBackfill($input: CreateBackfillInput!) {\n    createBackfill(input: $input) {\n      backfill {\n        ...BackfillRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CreateBackfillDocument,
    "\n  mutation PauseBackfill($id: ID!) {\n    pauseBackfill(id: $id) {\n      backfill {\n        ...BackfillRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.PauseBackfillDocument,
    "\n  mutation ResumeBackfill($id: ID!) {\n    resumeBackfill(id: $id) {\n      backfill {\n        ...BackfillRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.ResumeBackfillDocument,
    "\n  mutation CancelBackfill($id: ID!, $reason: String) {\n    cancelBackfill(id: $id, reason: $reason) {\n      backfill {\n        ...BackfillRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CancelBackfillDocument,
    "\n  fragment BulkRow on BulkOperation {\n    id\n    kind\n    state\n    total\n    done\n    refused\n    progress\n    parameters\n    patch\n    reason\n    selection\n    createdBy\n    createdAt\n    finishedAt\n  }\n": typeof types.BulkRowFragmentDoc,
    "\n  query BulkOperations($first: Int!, $after: String) {\n    bulkOperations(first: $first, after: $after) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...BulkRow\n      }\n    }\n  }\n": typeof types.BulkOperationsDocument,
    "\n  query BulkOperationPage($id: ID!, $refusals: Int!) {\n    bulkOperation(id: $id) {\n      ...BulkRow\n      refusals(first: $refusals) {\n        taskId\n        message\n        task {\n          id\n          state\n          job {\n            id\n            name\n          }\n        }\n      }\n    }\n  }\n": typeof types.BulkOperationPageDocument,
    "\n  query BulkPreview($input: CreateBulkOperationInput!) {\n    bulkPreview(input: $input) {\n      total\n      more\n      asOf\n      error {\n        ...UserError\n      }\n    }\n  }\n": typeof types.BulkPreviewDocument,
    "\n  subscription BulkOperationChanged($id: ID!) {\n    bulkOperationChanged(id: $id) {\n      ...BulkRow\n    }\n  }\n": typeof types.BulkOperationChangedDocument,
    "\n  mutation CreateBulkOperation($input: CreateBulkOperationInput!) {\n    createBulkOperation(input: $input) {\n      bulkOperation {\n        ...BulkRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CreateBulkOperationDocument,
    "\n  mutation CancelBulkOperation($id: ID!) {\n    cancelBulkOperation(id: $id) {\n      bulkOperation {\n        ...BulkRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CancelBulkOperationDocument,
    "\n  fragment CalendarRow on Calendar {\n    id\n    name\n    description\n    restDays\n    quietWindows {\n      days\n      from\n      to\n      rule\n    }\n    jobCount\n    version\n    updatedAt\n    app {\n      id\n      name\n    }\n  }\n": typeof types.CalendarRowFragmentDoc,
    "\n  fragment CalendarDetail on Calendar {\n    ...CalendarRow\n    days {\n      date\n      kind\n      name\n    }\n  }\n": typeof types.CalendarDetailFragmentDoc,
    "\n  query Calendars($app: ID) {\n    calendars(app: $app) {\n      ...CalendarRow\n    }\n  }\n": typeof types.CalendarsDocument,
    "\n  query Calendar($id: ID!) {\n    calendar(id: $id) {\n      ...CalendarDetail\n    }\n  }\n": typeof types.CalendarDocument,
    "\n  query CalendarJobs($id: ID!, $locale: String!) {\n    calendar(id: $id) {\n      id\n      jobs(first: 50) {\n        id\n        name\n        enabled\n        invalidReason\n        deletedAt\n        nextFireAt\n        trigger {\n          kind\n          zone\n          description(locale: $locale)\n        }\n      }\n    }\n  }\n": typeof types.CalendarJobsDocument,
    "\n  mutation CreateCalendar($input: CreateCalendarInput!) {\n    createCalendar(input: $input) {\n      calendar {\n        ...CalendarDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CreateCalendarDocument,
    "\n  mutation UpdateCalendar($input: UpdateCalendarInput!) {\n    updateCalendar(input: $input) {\n      calendar {\n        ...CalendarDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.UpdateCalendarDocument,
    "\n  mutation DeleteCalendar($id: ID!) {\n    deleteCalendar(id: $id) {\n      calendar {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.DeleteCalendarDocument,
    "\n  mutation ImportCalendar($input: ImportCalendarInput!) {\n    importCalendar(input: $input) {\n      calendar {\n        ...CalendarDetail\n      }\n      added {\n        date\n        kind\n        name\n      }\n      removed {\n        date\n        kind\n        name\n      }\n      unchanged\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.ImportCalendarDocument,
    "\n  fragment DeliveryRow on Notification {\n    id\n    kind\n    severity\n    state\n    reason\n    problems\n    subject\n    createdAt\n    sentAt\n    nextAt\n    channel {\n      id\n      name\n      kind\n    }\n    rule {\n      id\n      name\n    }\n  }\n": typeof types.DeliveryRowFragmentDoc,
    "\n  fragment DeliveryDetail on Notification {\n    ...DeliveryRow\n    body\n    incidents {\n      id\n      title\n      state\n    }\n    tries {\n      number\n      at\n      duration\n      status\n      response\n      error\n      nextAt\n    }\n  }\n": typeof types.DeliveryDetailFragmentDoc,
    "\n  query Deliveries($first: Int!, $after: String, $filter: NotificationFilter) {\n    notifications(first: $first, after: $after, filter: $filter) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...DeliveryRow\n      }\n    }\n  }\n": typeof types.DeliveriesDocument,
    "\n  subscription DeliveryListChanged($filter: NotificationFilter) {\n    notificationChanged(filter: $filter) {\n      ...DeliveryRow\n    }\n  }\n": typeof types.DeliveryListChangedDocument,
    "\n  query Delivery($id: ID!) {\n    notification(id: $id) {\n      ...DeliveryDetail\n    }\n  }\n": typeof types.DeliveryDocument,
    "\n  mutation ReplayNotification($id: ID!) {\n    replayNotification(id: $id) {\n      notification {\n        ...DeliveryDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.ReplayNotificationDocument,
    "\n  query DeliveryNames {\n    alertChannels {\n      id\n      name\n    }\n    alertRules {\n      id\n      name\n    }\n  }\n": typeof types.DeliveryNamesDocument,
    "\n  query FilteredIncident($id: ID!) {\n    incident(id: $id) {\n      id\n      title\n    }\n  }\n": typeof types.FilteredIncidentDocument,
    "\n  fragment IncidentRow on Incident {\n    id\n    title\n    event\n    severity\n    state\n    flapping\n    openedAt\n    lastAt\n    count\n    acknowledgedAt\n    acknowledgedBy\n    resolvedAt\n    resolution\n    downtime\n    lastError\n    server\n    rule {\n      id\n      name\n    }\n    silencedBy {\n      id\n      reason\n      activeUntil\n    }\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n      app {\n        id\n        name\n      }\n    }\n    group {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n    node {\n      id\n      name\n    }\n  }\n": typeof types.IncidentRowFragmentDoc,
    "\n  fragment IncidentDetail on Incident {\n    ...IncidentRow\n    lastTask {\n      id\n      state\n      scheduledAt\n      maxAttempts\n      attempts {\n        id\n        number\n        state\n        nodeName\n        startedAt\n        finishedAt\n        error\n      }\n    }\n    notifications {\n      id\n      kind\n      state\n      severity\n      reason\n      createdAt\n      sentAt\n      nextAt\n      channel {\n        id\n        name\n        kind\n      }\n    }\n  }\n": typeof types.IncidentDetailFragmentDoc,
    "\n  fragment EntryRow on IncidentEntry {\n    id\n    at\n    kind\n    message\n    attempt\n    node\n    actor\n    task {\n      id\n    }\n  }\n": typeof types.EntryRowFragmentDoc,
    "\n  query Incidents($first: Int!, $after: String, $filter: IncidentFilter) {\n    incidents(first: $first, after: $after, filter: $filter) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...IncidentRow\n      }\n    }\n  }\n": typeof types.IncidentsDocument,
    "\n  subscription IncidentListChanged($filter: IncidentFilter) {\n    incidentChanged(filter: $filter) {\n      ...IncidentRow\n    }\n  }\n": typeof types.IncidentListChangedDocument,
    "\n  query Incident($id: ID!) {\n    incident(id: $id) {\n      ...IncidentDetail\n    }\n  }\n": typeof types.IncidentDocument,
    "\n  query IncidentTimeline($id: ID!, $first: Int!, $after: String) {\n    incident(id: $id) {\n      id\n      timeline(first: $first, after: $after) {\n        pageInfo {\n          hasNextPage\n          hasPreviousPage\n          startCursor\n          endCursor\n        }\n        nodes {\n          ...EntryRow\n        }\n      }\n    }\n  }\n": typeof types.IncidentTimelineDocument,
    "\n  subscription IncidentTouched($filter: IncidentFilter) {\n    incidentChanged(filter: $filter) {\n      ...IncidentRow\n    }\n  }\n": typeof types.IncidentTouchedDocument,
    "\n  mutation AcknowledgeIncident($id: ID!, $comment: String) {\n    acknowledgeIncident(id: $id, comment: $comment) {\n      incident {\n        ...IncidentRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.AcknowledgeIncidentDocument,
    "\n  mutation UnacknowledgeIncident($id: ID!) {\n    unacknowledgeIncident(id: $id) {\n      incident {\n        ...IncidentRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.UnacknowledgeIncidentDocument,
    "\n  mutation ResolveIncident($id: ID!, $comment: String) {\n    resolveIncident(id: $id, comment: $comment) {\n      incident {\n        ...IncidentRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.ResolveIncidentDocument,
    "\n  mutation CommentIncident($id: ID!, $comment: String!) {\n    commentIncident(id: $id, comment: $comment) {\n      incident {\n        ...IncidentRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CommentIncidentDocument,
    "\n  query RuleNames {\n    alertRules {\n      id\n      name\n    }\n  }\n": typeof types.RuleNamesDocument,
    "\n  fragment EditableJob on Job {\n    id\n    name\n    handler\n    description\n    labels\n    parameters\n    enabled\n    version\n    priority\n    timeout\n    concurrency\n    maxRunning\n    delivery\n    routing {\n      ...RoutingFields\n    }\n    app {\n      id\n      name\n    }\n    group {\n      id\n      name\n    }\n    trigger {\n      kind\n      expression\n      zone\n      startAt\n      endAt\n      jitter\n      every\n      delay\n      calendar {\n        id\n        name\n      }\n      onRestDay\n      upstream {\n        on\n        job {\n          id\n          name\n          app {\n            id\n            name\n          }\n        }\n      }\n      mode\n      window\n    }\n    retry {\n      maxAttempts\n      backoff\n      delay\n      maxDelay\n      jitter\n    }\n    misfire {\n      policy\n      grace\n      limit\n    }\n  }\n": typeof types.EditableJobFragmentDoc,
    "\n  query EditableJob($id: ID!) {\n    job(id: $id) {\n      ...EditableJob\n    }\n  }\n": typeof types.EditableJobDocument,
    "\n  query GroupOptions {\n    nodeGroups {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n  }\n": typeof types.GroupOptionsDocument,
    "\n  query GroupHandlers($id: ID!) {\n    nodeGroup(id: $id) {\n      id\n      nodes {\n        id\n        name\n        state\n        labels\n        handlers\n      }\n    }\n  }\n": typeof types.GroupHandlersDocument,
    "\n  query CalendarOptions($app: ID!) {\n    calendars(app: $app) {\n      id\n      name\n      restDays\n    }\n  }\n": typeof types.CalendarOptionsDocument,
    "\n  query UpstreamOptions($search: String) {\n    jobs(first: 20, filter: { search: $search }) {\n      nodes {\n        id\n        name\n        app {\n          id\n          name\n        }\n      }\n    }\n  }\n": typeof types.UpstreamOptionsDocument,
    "\n  fragment Neighbour on Job {\n    id\n    name\n    app {\n      id\n      name\n    }\n  }\n": typeof types.NeighbourFragmentDoc,
    "\n  query UpstreamNeighbours($id: ID!) {\n    job(id: $id) {\n      ...Neighbour\n      trigger {\n        upstream {\n          on\n          job {\n            ...Neighbour\n          }\n        }\n      }\n    }\n  }\n": typeof types.UpstreamNeighboursDocument,
    "\n  query DownstreamNeighbours($id: ID!) {\n    job(id: $id) {\n      ...Neighbour\n      downstream(first: 12) {\n        ...Neighbour\n        downstream(first: 6) {\n          ...Neighbour\n        }\n      }\n    }\n  }\n": typeof types.DownstreamNeighboursDocument,
    "\n  query SchedulePreview($input: SchedulePreviewInput!) {\n    schedulePreview(input: $input) {\n      fires\n      description\n      dialect\n      warnings\n      clockChanges {\n        at\n        offsetBefore\n        offsetAfter\n      }\n      restDays {\n        date\n        kind\n        name\n      }\n      excluded {\n        at\n        reason\n        message\n        movedTo\n      }\n      error {\n        ...UserError\n      }\n    }\n  }\n": typeof types.SchedulePreviewDocument,
    "\n  mutation CreateJob($input: CreateJobInput!) {\n    createJob(input: $input) {\n      job {\n        id\n        name\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CreateJobDocument,
    "\n  mutation UpdateJob($input: UpdateJobInput!) {\n    updateJob(input: $input) {\n      job {\n        ...EditableJob\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.UpdateJobDocument,
    "\n  query JobJoins($id: ID!) {\n    job(id: $id) {\n      id\n      joins(first: 20) {\n        window\n        openedAt\n        firedAt\n        reason\n        arrived {\n          at\n          condition\n          job {\n            id\n            name\n          }\n          task {\n            id\n            state\n          }\n        }\n        missing {\n          id\n          name\n        }\n        task {\n          id\n          state\n        }\n      }\n    }\n  }\n": typeof types.JobJoinsDocument,
    "\n  fragment JobDetail on Job {\n    id\n    name\n    handler\n    description\n    labels\n    parameters\n    enabled\n    invalidReason\n    warnings\n    deletedAt\n    version\n    createdAt\n    updatedAt\n    priority\n    timeout\n    concurrency\n    maxRunning\n    delivery\n    routing {\n      ...RoutingFields\n    }\n    nextFireAt\n    lastFireAt\n    app {\n      id\n      name\n    }\n    group {\n      id\n      name\n    }\n    trigger {\n      kind\n      description(locale: $locale)\n      expression\n      dialect\n      resolved\n      zone\n      startAt\n      endAt\n      jitter\n      every\n      delay\n      mode\n      window\n      upstream {\n        on\n        job {\n          id\n          name\n        }\n      }\n    }\n    downstream(first: 50) {\n      id\n      name\n    }\n    retry {\n      maxAttempts\n      backoff\n      delay\n      maxDelay\n      jitter\n    }\n    misfire {\n      policy\n      grace\n      limit\n    }\n    stats {\n      succeeded\n      failed\n      cancelled\n      skipped\n      retried\n      missed\n      excluded\n      late\n      meanDuration\n      meanDelay\n    }\n    nextFires(count: 8)\n    skippedFires(first: 20) {\n      firstAt\n      lastAt\n      count\n      reason\n      message\n      recordedAt\n    }\n  }\n": typeof types.JobDetailFragmentDoc,
    "\n  fragment RunRow on Task {\n    id\n    state\n    trigger\n    scheduledAt\n    startedAt\n    finishedAt\n    duration\n    attempt\n    maxAttempts\n    error\n    reason\n    node {\n      id\n      name\n    }\n  }\n": typeof types.RunRowFragmentDoc,
    "\n  query Job($id: ID!, $locale: String!) {\n    job(id: $id) {\n      ...JobDetail\n    }\n  }\n": typeof types.JobDocument,
    "\n  query JobRuns($id: ID!) {\n    job(id: $id) {\n      id\n      recentTasks(first: 20) {\n        ...RunRow\n      }\n    }\n  }\n": typeof types.JobRunsDocument,
    "\n  subscription JobRunChanged($job: ID!) {\n    taskChanged(filter: { job: $job }) {\n      ...RunRow\n    }\n  }\n": typeof types.JobRunChangedDocument,
    "\n  subscription JobDetailChanged($filter: JobFilter) {\n    jobChanged(filter: $filter) {\n      id\n      enabled\n      nextFireAt\n      lastFireAt\n      version\n      deletedAt\n    }\n  }\n": typeof types.JobDetailChangedDocument,
    "\n  mutation DeleteJob($id: ID!) {\n    deleteJob(id: $id) {\n      job {\n        id\n        deletedAt\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.DeleteJobDocument,
    "\n  fragment RevisionRow on JobRevision {\n    number\n    at\n    author\n    authorKind\n    action\n    changes {\n      field\n    }\n  }\n": typeof types.RevisionRowFragmentDoc,
    "\n  query JobRevisions($id: ID!, $first: Int!) {\n    job(id: $id) {\n      id\n      name\n      version\n      deletedAt\n      app {\n        id\n        name\n      }\n      trigger {\n        kind\n        zone\n      }\n      revisions(first: $first) {\n        nodes {\n          ...RevisionRow\n        }\n        pageInfo {\n          hasNextPage\n        }\n      }\n    }\n  }\n": typeof types.JobRevisionsDocument,
    "\n  query RevisionPair($id: ID!, $before: Int!, $after: Int!) {\n    job(id: $id) {\n      id\n      version\n      before: revision(number: $before) {\n        number\n        snapshot\n      }\n      after: revision(number: $after) {\n        number\n        snapshot\n        rollBackChanges {\n          ...FieldChange\n        }\n      }\n    }\n  }\n": typeof types.RevisionPairDocument,
    "\n  fragment FieldChange on JobFieldChange {\n    field\n    before\n    after\n  }\n": typeof types.FieldChangeFragmentDoc,
    "\n  mutation RollBackJob($id: ID!, $revision: Int!, $version: Int!) {\n    rollBackJob(id: $id, revision: $revision, version: $version) {\n      job {\n        id\n        version\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.RollBackJobDocument,
    "\n  query RevisionGroup($id: ID!) {\n    nodeGroup(id: $id) {\n      id\n      name\n    }\n  }\n": typeof types.RevisionGroupDocument,
    "\n  query RevisionCalendar($id: ID!) {\n    calendar(id: $id) {\n      id\n      name\n    }\n  }\n": typeof types.RevisionCalendarDocument,
    "\n  query RevisionJob($id: ID!) {\n    job(id: $id) {\n      id\n      name\n    }\n  }\n": typeof types.RevisionJobDocument,
    "\n  query WhyNotRun($job: ID!, $at: Time!, $locale: String!) {\n    whyNotRun(job: $job, at: $at, locale: $locale) {\n      code\n      answer\n      evidence {\n        at\n        message\n      }\n      task {\n        id\n        state\n      }\n      previousFire\n      nextFire\n    }\n  }\n": typeof types.WhyNotRunDocument,
    "\n  fragment JobRow on Job {\n    id\n    name\n    handler\n    enabled\n    invalidReason\n    deletedAt\n    warnings\n    nextFireAt\n    lastFireAt\n    app {\n      id\n      name\n    }\n    group {\n      id\n      name\n    }\n    trigger {\n      kind\n      zone\n      description(locale: $locale)\n    }\n    stats {\n      succeeded\n      failed\n      cancelled\n      skipped\n    }\n  }\n": typeof types.JobRowFragmentDoc,
    "\n  query Jobs($first: Int!, $after: String, $filter: JobFilter, $orderBy: JobOrder, $locale: String!) {\n    jobs(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...JobRow\n      }\n    }\n  }\n": typeof types.JobsDocument,
    "\n  subscription JobChanged($filter: JobFilter, $locale: String!) {\n    jobChanged(filter: $filter) {\n      ...JobRow\n    }\n  }\n": typeof types.JobChangedDocument,
    "\n  query AppNames {\n    apps {\n      id\n      name\n    }\n  }\n": typeof types.AppNamesDocument,
    "\n  mutation PauseJob($id: ID!) {\n    pauseJob(id: $id) {\n      job {\n        id\n        name\n        enabled\n        nextFireAt\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.PauseJobDocument,
    "\n  mutation ResumeJob($id: ID!) {\n    resumeJob(id: $id) {\n      job {\n        id\n        name\n        enabled\n        nextFireAt\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.ResumeJobDocument,
    "\n  mutation TriggerJob($input: TriggerJobInput!) {\n    triggerJob(input: $input) {\n      task {\n        id\n        state\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.TriggerJobDocument,
    "\n  query JobParameters($id: ID!) {\n    job(id: $id) {\n      id\n      parameters\n      priority\n      downstream(first: 1) {\n        id\n      }\n    }\n  }\n": typeof types.JobParametersDocument,
    "\n  fragment NodeRow on Node {\n    id\n    name\n    state\n    slots\n    running\n    lastSeenAt\n    incarnation\n    startedAt\n    labels\n    handlers\n    sdk\n    host\n    stuck\n    lingering\n    group {\n      id\n    }\n  }\n": typeof types.NodeRowFragmentDoc,
    "\n  query NodeSlots($id: ID!) {\n    node(id: $id) {\n      id\n      stuckAttempts {\n        task {\n          id\n          job {\n            id\n            name\n          }\n        }\n        attempt\n        handler\n        since\n        cause\n        stack\n      }\n      handlerSlots {\n        handlers\n        slots\n        running\n      }\n    }\n  }\n": typeof types.NodeSlotsDocument,
    "\n  fragment GroupCard on NodeGroup {\n    id\n    name\n    app {\n      id\n      name\n    }\n    maxRunning\n    releaseRate\n    releaseBurst\n    routingRule {\n      ...RoutingFields\n    }\n    heartbeatInterval\n    heartbeatMisses\n    takeoverAfter\n    jobCount\n    warnings\n    waiting\n    running\n    slots\n    due\n    oldestDueAt\n    drainsIn\n    drainsNote\n    releasedLastSecond\n    limitedBy\n  }\n": typeof types.GroupCardFragmentDoc,
    "\n  query Nodes {\n    nodes {\n      ...NodeRow\n    }\n  }\n": typeof types.NodesDocument,
    "\n  query NodeGroups($app: ID) {\n    nodeGroups(app: $app) {\n      ...GroupCard\n    }\n  }\n": typeof types.NodeGroupsDocument,
    "\n  subscription NodeChanged {\n    nodeChanged {\n      ...NodeRow\n    }\n  }\n": typeof types.NodeChangedDocument,
    "\n  subscription NodeGroupChanged($app: ID) {\n    nodeGroupChanged(app: $app) {\n      ...GroupCard\n    }\n  }\n": typeof types.NodeGroupChangedDocument,
    "\n  mutation CreateNodeGroup($input: CreateNodeGroupInput!) {\n    createNodeGroup(input: $input) {\n      nodeGroup {\n        ...GroupCard\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CreateNodeGroupDocument,
    "\n  mutation UpdateNodeGroup($input: UpdateNodeGroupInput!) {\n    updateNodeGroup(input: $input) {\n      nodeGroup {\n        ...GroupCard\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.UpdateNodeGroupDocument,
    "\n  mutation DeleteNodeGroup($id: ID!) {\n    deleteNodeGroup(id: $id) {\n      nodeGroup {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.DeleteNodeGroupDocument,
    "\n  mutation DrainNode($id: ID!) {\n    drainNode(id: $id) {\n      node {\n        ...NodeRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.DrainNodeDocument,
    "\n  mutation ResumeNode($id: ID!) {\n    resumeNode(id: $id) {\n      node {\n        ...NodeRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.ResumeNodeDocument,
    "\n  mutation RemoveNode($id: ID!) {\n    removeNode(id: $id) {\n      node {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.RemoveNodeDocument,
    "\n  fragment OverviewFields on Overview {\n    at\n    waiting\n    running\n    retrying\n    failedQueue\n    slots\n    jobs\n    nodes {\n      online\n      suspect\n      offline\n      draining\n    }\n    minutes {\n      at\n      succeeded\n      failed\n      retried\n      cancelled\n      skipped\n    }\n    recentFailures {\n      id\n      state\n      scheduledAt\n      finishedAt\n      error\n      reason\n      attempt\n      job {\n        id\n        name\n        trigger {\n          zone\n        }\n      }\n    }\n    upcoming {\n      at\n      job {\n        id\n        name\n        trigger {\n          zone\n        }\n      }\n    }\n  }\n": typeof types.OverviewFieldsFragmentDoc,
    "\n  query Overview {\n    overview {\n      ...OverviewFields\n    }\n  }\n": typeof types.OverviewDocument,
    "\n  subscription OverviewChanged {\n    overviewChanged {\n      ...OverviewFields\n    }\n  }\n": typeof types.OverviewChangedDocument,
    "\n  query FirstSteps {\n    apps {\n      id\n      name\n      jobCount\n      onlineNodeCount\n    }\n    installation {\n      publicUrl\n    }\n  }\n": typeof types.FirstStepsDocument,
    "\n  fragment FigureFields on ReportFigures {\n    ran\n    succeeded\n    failed\n    recovered\n    takenOver\n    late\n    missed\n    running\n    slower\n  }\n": typeof types.FigureFieldsFragmentDoc,
    "\n  fragment ReportLineFields on ReportLine {\n    at\n    count\n    error\n    duration\n    usual\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n      app {\n        id\n        name\n      }\n    }\n    task {\n      id\n    }\n  }\n": typeof types.ReportLineFieldsFragmentDoc,
    "\n  query MorningReport($app: ID, $day: Date, $at: String, $zone: String) {\n    morningReport(app: $app, day: $day, at: $at, zone: $zone) {\n      from\n      to\n      failedJobs\n      missedJobs\n      figures {\n        ...FigureFields\n      }\n      week {\n        ...FigureFields\n      }\n      failures {\n        ...ReportLineFields\n      }\n      missed {\n        ...ReportLineFields\n      }\n      slow {\n        ...ReportLineFields\n      }\n      running {\n        ...ReportLineFields\n      }\n    }\n  }\n": typeof types.MorningReportDocument,
    "\n  fragment ScheduleRow on ReportSchedule {\n    id\n    name\n    zone\n    at\n    days\n    enabled\n    lastSentAt\n    nextAt\n    version\n    app {\n      id\n      name\n    }\n    channels {\n      id\n      name\n    }\n    people {\n      id\n      name\n    }\n  }\n": typeof types.ScheduleRowFragmentDoc,
    "\n  query ReportSchedules {\n    reportSchedules {\n      ...ScheduleRow\n    }\n  }\n": typeof types.ReportSchedulesDocument,
    "\n  mutation CreateReportSchedule($input: ReportScheduleInput!) {\n    createReportSchedule(input: $input) {\n      schedule {\n        ...ScheduleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CreateReportScheduleDocument,
    "\n  mutation UpdateReportSchedule($id: ID!, $input: ReportScheduleInput!) {\n    updateReportSchedule(id: $id, input: $input) {\n      schedule {\n        ...ScheduleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.UpdateReportScheduleDocument,
    "\n  mutation DeleteReportSchedule($id: ID!) {\n    deleteReportSchedule(id: $id) {\n      schedule {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.DeleteReportScheduleDocument,
    "\n  mutation SendReportNow($id: ID!) {\n    sendReportNow(id: $id) {\n      schedule {\n        ...ScheduleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.SendReportNowDocument,
    "\n  fragment RoutingFields on Routing {\n    strategy\n    key\n    node\n    fallback\n    fallbackAfter\n    labels\n  }\n": typeof types.RoutingFieldsFragmentDoc,
    "\n  query SecurityFindings {\n    securityFindings {\n      code\n      severity\n      subjects\n      count\n    }\n  }\n": typeof types.SecurityFindingsDocument,
    "\n  fragment ServerRow on Server {\n    id\n    name\n    version\n    state\n    startedAt\n    lastSeenAt\n    partitions\n    groups\n    lag\n    clockOffset\n    locks\n    degraded\n    self\n  }\n": typeof types.ServerRowFragmentDoc,
    "\n  query Servers {\n    servers {\n      ...ServerRow\n    }\n  }\n": typeof types.ServersDocument,
    "\n  subscription ServerChanged {\n    serverChanged {\n      ...ServerRow\n    }\n  }\n": typeof types.ServerChangedDocument,
    "\n  fragment SilenceRow on Silence {\n    id\n    kind\n    reason\n    author\n    startsAt\n    endsAt\n    remindBefore\n    active\n    activeUntil\n    suppressed\n    createdAt\n    scope {\n      ...ScopeFields\n    }\n    rule {\n      id\n      name\n    }\n    recurrence {\n      days\n      from\n      to\n      zone\n    }\n  }\n": typeof types.SilenceRowFragmentDoc,
    "\n  query Silences {\n    silences {\n      ...SilenceRow\n    }\n  }\n": typeof types.SilencesDocument,
    "\n  mutation CreateSilence($input: SilenceInput!) {\n    createSilence(input: $input) {\n      silence {\n        ...SilenceRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CreateSilenceDocument,
    "\n  mutation EndSilence($id: ID!) {\n    endSilence(id: $id) {\n      silence {\n        ...SilenceRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.EndSilenceDocument,
    "\n  fragment ChainTask on Task {\n    id\n    state\n    scheduledAt\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n    }\n  }\n": typeof types.ChainTaskFragmentDoc,
    "\n  query TaskChain($id: ID!) {\n    task(id: $id) {\n      id\n      upstream {\n        ...ChainTask\n      }\n      downstream(first: 20) {\n        ...ChainTask\n      }\n      job {\n        id\n        downstream(first: 20) {\n          id\n        }\n      }\n    }\n  }\n": typeof types.TaskChainDocument,
    "\n  fragment TaskDetail on Task {\n    ...TaskRow\n    priority\n    availableAt\n    createdAt\n    deadlineAt\n    parameters\n    result\n    uniqueKey\n    shard\n    shards\n    progressMessage\n    rootTask {\n      id\n      job {\n        id\n        name\n      }\n    }\n    parent {\n      id\n    }\n    backfill {\n      id\n    }\n    group {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n    attempts {\n      id\n      number\n      state\n      nodeName\n      availableAt\n      dispatchedAt\n      startedAt\n      finishedAt\n      error\n    }\n    timeline {\n      at\n      kind\n      attempt\n      message\n      actor\n    }\n  }\n": typeof types.TaskDetailFragmentDoc,
    "\n  query TaskPage($id: ID!) {\n    task(id: $id) {\n      ...TaskDetail\n    }\n  }\n": typeof types.TaskPageDocument,
    "\n  subscription OneTaskChanged($id: String!) {\n    taskChanged(filter: { search: $id }) {\n      ...TaskDetail\n    }\n  }\n": typeof types.OneTaskChangedDocument,
    "\n  query TaskLogs($id: ID!, $first: Int!, $after: Long) {\n    task(id: $id) {\n      id\n      logs(first: $first, after: $after) {\n        hasNextPage\n        endCursor\n        truncated\n        nodes {\n          seq\n          at\n          level\n          message\n          fields\n          attempt\n        }\n      }\n    }\n  }\n": typeof types.TaskLogsDocument,
    "\n  subscription TaskLogParts($id: ID!, $after: Long) {\n    taskLogParts(task: $id, after: $after) {\n      truncated\n      lateAttempt\n      nodes {\n        seq\n        at\n        level\n        message\n        fields\n        attempt\n      }\n    }\n  }\n": typeof types.TaskLogPartsDocument,
    "\n  query TaskShards($id: ID!, $first: Int!, $after: String) {\n    task(id: $id) {\n      id\n      children(first: $first, after: $after) {\n        pageInfo {\n          hasNextPage\n          hasPreviousPage\n          startCursor\n          endCursor\n        }\n        nodes {\n          ...TaskRow\n          shard\n        }\n      }\n    }\n  }\n": typeof types.TaskShardsDocument,
    "\n  subscription TaskShardChanged($task: ID!) {\n    taskChanged(filter: { parent: $task }) {\n      ...TaskRow\n      shard\n    }\n  }\n": typeof types.TaskShardChangedDocument,
    "\n  mutation RescheduleTask($id: ID!, $delay: Duration, $runAt: Time) {\n    rescheduleTask(id: $id, delay: $delay, runAt: $runAt) {\n      task {\n        ...TaskDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.RescheduleTaskDocument,
    "\n  fragment TaskRow on Task {\n    id\n    state\n    trigger\n    scheduledAt\n    startedAt\n    finishedAt\n    duration\n    attempt\n    maxAttempts\n    reason\n    error\n    progress\n    cancelRequestedAt\n    node {\n      id\n      name\n    }\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n    }\n  }\n": typeof types.TaskRowFragmentDoc,
    "\n  query Tasks($first: Int!, $after: String, $filter: TaskFilter) {\n    tasks(first: $first, after: $after, filter: $filter) {\n      totalCount\n      searchedTo\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...TaskRow\n      }\n    }\n  }\n": typeof types.TasksDocument,
    "\n  subscription TaskListChanged($filter: TaskFilter) {\n    taskChanged(filter: $filter) {\n      ...TaskRow\n    }\n  }\n": typeof types.TaskListChangedDocument,
    "\n  mutation CancelTask($id: ID!, $reason: String) {\n    cancelTask(id: $id, reason: $reason) {\n      task {\n        ...TaskRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CancelTaskDocument,
    "\n  mutation RetryTask($id: ID!, $parameters: JSON) {\n    retryTask(id: $id, parameters: $parameters) {\n      task {\n        ...TaskRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.RetryTaskDocument,
    "\n  mutation DiscardTask($id: ID!, $reason: String) {\n    discardTask(id: $id, reason: $reason) {\n      task {\n        ...TaskRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.DiscardTaskDocument,
    "\n  query TaskGroups {\n    nodeGroups {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n  }\n": typeof types.TaskGroupsDocument,
    "\n  query FilteredJob($id: ID!) {\n    job(id: $id) {\n      id\n      name\n    }\n  }\n": typeof types.FilteredJobDocument,
    "\n  query FilteredNode($id: ID!) {\n    node(id: $id) {\n      id\n      name\n    }\n  }\n": typeof types.FilteredNodeDocument,
    "\n  query FilteredBackfill($id: ID!) {\n    backfill(id: $id) {\n      id\n      from\n      to\n      job {\n        id\n        name\n        trigger {\n          zone\n        }\n      }\n    }\n  }\n": typeof types.FilteredBackfillDocument,
    "\n  query TaskParameters($id: ID!) {\n    task(id: $id) {\n      id\n      parameters\n    }\n  }\n": typeof types.TaskParametersDocument,
    "\n  fragment TokenRow on ApiToken {\n    id\n    name\n    prefix\n    role\n    apps {\n      ...AppRoleFields\n    }\n    scopes\n    createdAt\n    expiresAt\n    lastUsedAt\n    revokedAt\n  }\n": typeof types.TokenRowFragmentDoc,
    "\n  query Tokens($first: Int, $after: String, $search: String, $active: Boolean) {\n    apiTokens(first: $first, after: $after, search: $search, active: $active) {\n      nodes {\n        ...TokenRow\n      }\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n    }\n  }\n": typeof types.TokensDocument,
    "\n  mutation CreateToken($input: CreateApiTokenInput!) {\n    createApiToken(input: $input) {\n      apiToken {\n        ...TokenRow\n      }\n      token\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CreateTokenDocument,
    "\n  mutation RevokeToken($id: ID!) {\n    revokeApiToken(id: $id) {\n      apiToken {\n        ...TokenRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.RevokeTokenDocument,
    "\n  fragment AppRoleFields on AppRole {\n    role\n    app {\n      id\n      name\n    }\n  }\n": typeof types.AppRoleFieldsFragmentDoc,
    "\n  fragment UserRow on User {\n    id\n    name\n    role\n    apps {\n      ...AppRoleFields\n    }\n    hasPassword\n    disabledAt\n    createdAt\n  }\n": typeof types.UserRowFragmentDoc,
    "\n  query Users($first: Int, $after: String, $search: String, $disabled: Boolean) {\n    users(first: $first, after: $after, search: $search, disabled: $disabled) {\n      nodes {\n        ...UserRow\n      }\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n    }\n  }\n": typeof types.UsersDocument,
    "\n  query User($id: ID!) {\n    user(id: $id) {\n      ...UserRow\n    }\n  }\n": typeof types.UserDocument,
    "\n  query UserSessions($user: ID!) {\n    userSessions(user: $user) {\n      id\n      current\n      createdAt\n      lastSeenAt\n      expiresAt\n    }\n  }\n": typeof types.UserSessionsDocument,
    "\n  mutation CreateUser($input: CreateUserInput!) {\n    createUser(input: $input) {\n      user {\n        ...UserRow\n      }\n      link\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.CreateUserDocument,
    "\n  mutation UpdateUser($input: UpdateUserInput!) {\n    updateUser(input: $input) {\n      user {\n        ...UserRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.UpdateUserDocument,
    "\n  mutation ResetUserPassword($id: ID!) {\n    resetUserPassword(id: $id) {\n      user {\n        ...UserRow\n      }\n      link\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.ResetUserPasswordDocument,
    "\n  mutation EndUserSession($id: ID!) {\n    endSession(id: $id) {\n      session {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": typeof types.EndUserSessionDocument,
    "\n  query RoleApps {\n    apps {\n      id\n      name\n    }\n  }\n": typeof types.RoleAppsDocument,
    "\n  fragment UserError on UserError {\n    code\n    field\n    message\n  }\n": typeof types.UserErrorFragmentDoc,
    "\n  query Viewer {\n    viewer {\n      name\n      isToken\n      role\n      roleInAllApps\n      locale\n      timeZone\n    }\n  }\n": typeof types.ViewerDocument,
};
const documents: Documents = {
    "\n  query FailedCount {\n    overview {\n      failedQueue\n    }\n  }\n": types.FailedCountDocument,
    "\n  subscription FailedCountChanged {\n    overviewChanged {\n      failedQueue\n    }\n  }\n": types.FailedCountChangedDocument,
    "\n  query PaletteJobs($search: String!) {\n    jobs(first: 8, filter: { search: $search }) {\n      nodes {\n        id\n        name\n        app {\n          id\n          name\n        }\n      }\n    }\n  }\n": types.PaletteJobsDocument,
    "\n  mutation UpdateViewer($input: UpdateViewerInput!) {\n    updateViewer(input: $input) {\n      viewer {\n        name\n        isToken\n        role\n        roleInAllApps\n        locale\n        timeZone\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.UpdateViewerDocument,
    "\n  fragment PersonFields on Person {\n    id\n    name\n    contacts {\n      email\n      mobile\n      feishuId\n      wecomId\n      slackId\n      telegramId\n      discordId\n    }\n  }\n": types.PersonFieldsFragmentDoc,
    "\n  query People {\n    people {\n      ...PersonFields\n    }\n  }\n": types.PeopleDocument,
    "\n  mutation UpdateContacts($input: UpdateContactsInput!) {\n    updateContacts(input: $input) {\n      person {\n        ...PersonFields\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.UpdateContactsDocument,
    "\n  fragment SecondFactorFields on SecondFactor {\n    since\n    recoveryCodesLeft\n    required\n    available\n  }\n": types.SecondFactorFieldsFragmentDoc,
    "\n  query SecondFactor {\n    secondFactor {\n      ...SecondFactorFields\n    }\n  }\n": types.SecondFactorDocument,
    "\n  mutation BeginSecondFactor($currentPassword: String!) {\n    beginSecondFactor(currentPassword: $currentPassword) {\n      secret\n      qr\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.BeginSecondFactorDocument,
    "\n  mutation ConfirmSecondFactor($code: String!) {\n    confirmSecondFactor(code: $code) {\n      recoveryCodes\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.ConfirmSecondFactorDocument,
    "\n  mutation RenewRecoveryCodes($currentPassword: String!) {\n    renewRecoveryCodes(currentPassword: $currentPassword) {\n      recoveryCodes\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.RenewRecoveryCodesDocument,
    "\n  mutation RemoveSecondFactor($currentPassword: String!) {\n    removeSecondFactor(currentPassword: $currentPassword) {\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.RemoveSecondFactorDocument,
    "\n  fragment OwnSessionRow on Session {\n    id\n    current\n    createdAt\n    lastSeenAt\n    expiresAt\n    method\n    address\n    agent\n  }\n": types.OwnSessionRowFragmentDoc,
    "\n  query OwnSessions {\n    sessions {\n      ...OwnSessionRow\n    }\n  }\n": types.OwnSessionsDocument,
    "\n  mutation EndOwnSession($id: ID!) {\n    endSession(id: $id) {\n      session {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.EndOwnSessionDocument,
    "\n  fragment ChannelRow on AlertChannel {\n    id\n    name\n    kind\n    enabled\n    disabledReason\n    language\n    perMinute\n    burst\n    queued\n    lastSentAt\n    lastError\n    createdAt\n    version\n  }\n": types.ChannelRowFragmentDoc,
    "\n  fragment ChannelDetail on AlertChannel {\n    ...ChannelRow\n    settings\n    maxAge\n    templates {\n      kind\n      subject\n      body\n    }\n  }\n": types.ChannelDetailFragmentDoc,
    "\n  query AlertChannels {\n    alertChannels {\n      ...ChannelRow\n    }\n  }\n": types.AlertChannelsDocument,
    "\n  query AlertChannel($id: ID!) {\n    alertChannel(id: $id) {\n      ...ChannelDetail\n    }\n  }\n": types.AlertChannelDocument,
    "\n  query ChannelKinds {\n    channelKinds {\n      kind\n      perMinute\n      burst\n      sizeLimit\n      sizeUnit\n      note\n    }\n  }\n": types.ChannelKindsDocument,
    "\n  mutation CreateAlertChannel($input: AlertChannelInput!) {\n    createAlertChannel(input: $input) {\n      channel {\n        ...ChannelDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CreateAlertChannelDocument,
    "\n  mutation UpdateAlertChannel($id: ID!, $input: AlertChannelInput!) {\n    updateAlertChannel(id: $id, input: $input) {\n      channel {\n        ...ChannelDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.UpdateAlertChannelDocument,
    "\n  mutation DeleteAlertChannel($id: ID!) {\n    deleteAlertChannel(id: $id) {\n      channel {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.DeleteAlertChannelDocument,
    "\n  mutation EnableAlertChannel($id: ID!) {\n    enableAlertChannel(id: $id) {\n      channel {\n        ...ChannelRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.EnableAlertChannelDocument,
    "\n  mutation DisableAlertChannel($id: ID!) {\n    disableAlertChannel(id: $id) {\n      channel {\n        ...ChannelRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.DisableAlertChannelDocument,
    "\n  mutation TestAlertChannel($id: ID!) {\n    testAlertChannel(id: $id) {\n      ok\n      status\n      response\n      error\n      duration\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.TestAlertChannelDocument,
    "\n  query MessagePreview($input: MessagePreviewInput!) {\n    messagePreview(input: $input) {\n      subject\n      body\n      bytes\n      truncated\n      error {\n        ...UserError\n      }\n    }\n  }\n": types.MessagePreviewDocument,
    "\n  fragment RuleRow on AlertRule {\n    id\n    name\n    description\n    enabled\n    zone\n    severity\n    openIncidents\n    version\n    updatedAt\n    scope {\n      ...ScopeFields\n    }\n    conditions {\n      event\n      count\n      of\n      rate\n      window\n      longerThan\n      factor\n      by\n      depth\n      age\n    }\n    windows {\n      days\n      from\n      to\n      severity\n    }\n    routes {\n      severities\n      digestAt\n      channels {\n        id\n        name\n      }\n      people {\n        id\n        name\n      }\n    }\n  }\n": types.RuleRowFragmentDoc,
    "\n  fragment RuleDetail on AlertRule {\n    ...RuleRow\n    escalation {\n      after\n      channels {\n        id\n        name\n      }\n      people {\n        id\n        name\n      }\n    }\n    repeatEvery\n    maxPerHour\n    groupWait\n    groupInterval\n    notices\n    createdBy\n    createdAt\n  }\n": types.RuleDetailFragmentDoc,
    "\n  query AlertRules($app: ID) {\n    alertRules(app: $app) {\n      ...RuleRow\n    }\n  }\n": types.AlertRulesDocument,
    "\n  query AlertRule($id: ID!) {\n    alertRule(id: $id) {\n      ...RuleDetail\n    }\n  }\n": types.AlertRuleDocument,
    "\n  query AlertRuleTrial($input: AlertRuleInput!, $days: Int!) {\n    alertRuleTrial(input: $input, days: $days) {\n      events\n      incidents\n      messages\n      suppressed\n      coveredFrom\n      entries {\n        at\n        channel\n        severity\n        digest\n        sent\n        title\n        problems\n      }\n      error {\n        ...UserError\n      }\n    }\n  }\n": types.AlertRuleTrialDocument,
    "\n  mutation CreateAlertRule($input: AlertRuleInput!) {\n    createAlertRule(input: $input) {\n      alertRule {\n        ...RuleDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CreateAlertRuleDocument,
    "\n  mutation UpdateAlertRule($id: ID!, $input: AlertRuleInput!) {\n    updateAlertRule(id: $id, input: $input) {\n      alertRule {\n        ...RuleDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.UpdateAlertRuleDocument,
    "\n  mutation DeleteAlertRule($id: ID!) {\n    deleteAlertRule(id: $id) {\n      alertRule {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.DeleteAlertRuleDocument,
    "\n  mutation EnableAlertRule($id: ID!) {\n    enableAlertRule(id: $id) {\n      alertRule {\n        ...RuleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.EnableAlertRuleDocument,
    "\n  mutation DisableAlertRule($id: ID!) {\n    disableAlertRule(id: $id) {\n      alertRule {\n        ...RuleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.DisableAlertRuleDocument,
    "\n  query RuleJob($id: ID!) {\n    job(id: $id) {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n  }\n": types.RuleJobDocument,
    "\n  fragment ScopeFields on AlertScope {\n    kind\n    labels\n    app {\n      id\n      name\n    }\n    group {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n    job {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n  }\n": types.ScopeFieldsFragmentDoc,
    "\n  fragment AlertSummaryFields on AlertSummary {\n    open\n    acknowledged\n    critical\n  }\n": types.AlertSummaryFieldsFragmentDoc,
    "\n  query AlertSummary {\n    alertSummary {\n      ...AlertSummaryFields\n    }\n  }\n": types.AlertSummaryDocument,
    "\n  subscription AlertSummaryChanged {\n    alertSummaryChanged {\n      ...AlertSummaryFields\n    }\n  }\n": types.AlertSummaryChangedDocument,
    "\n  query ScopeGroups {\n    nodeGroups {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n    apps {\n      id\n      name\n    }\n  }\n": types.ScopeGroupsDocument,
    "\n  query ScopeJobs($search: String) {\n    jobs(first: 30, filter: { search: $search }) {\n      nodes {\n        id\n        name\n        app {\n          id\n          name\n        }\n      }\n    }\n  }\n": types.ScopeJobsDocument,
    "\n  query Receivers {\n    alertChannels {\n      id\n      name\n      kind\n      enabled\n    }\n    people {\n      id\n      name\n    }\n  }\n": types.ReceiversDocument,
    "\n  fragment AppRow on App {\n    id\n    name\n    description\n    createdAt\n    jobCount\n    onlineNodeCount\n  }\n": types.AppRowFragmentDoc,
    "\n  query Apps {\n    apps {\n      ...AppRow\n      keys {\n        id\n        revokedAt\n      }\n    }\n  }\n": types.AppsDocument,
    "\n  fragment KeyRow on AppKey {\n    id\n    prefix\n    createdAt\n    lastUsedAt\n    revokedAt\n  }\n": types.KeyRowFragmentDoc,
    "\n  query AppPage($name: String!) {\n    app(name: $name) {\n      ...AppRow\n      keys {\n        ...KeyRow\n      }\n      nodeGroups {\n        id\n        name\n      }\n    }\n    installation {\n      publicUrl\n    }\n  }\n": types.AppPageDocument,
    "\n  query InstallationAddress {\n    installation {\n      publicUrl\n    }\n  }\n": types.InstallationAddressDocument,
    "\n  mutation CreateApp($input: CreateAppInput!) {\n    createApp(input: $input) {\n      app {\n        ...AppRow\n        keys {\n          ...KeyRow\n        }\n        nodeGroups {\n          id\n          name\n        }\n      }\n      key\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CreateAppDocument,
    "\n  mutation UpdateApp($input: UpdateAppInput!) {\n    updateApp(input: $input) {\n      app {\n        id\n        description\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.UpdateAppDocument,
    "\n  mutation DeleteApp($id: ID!) {\n    deleteApp(id: $id) {\n      app {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.DeleteAppDocument,
    "\n  mutation CreateAppKey($app: ID!) {\n    createAppKey(app: $app) {\n      appKey {\n        ...KeyRow\n      }\n      key\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CreateAppKeyDocument,
    "\n  mutation RevokeAppKey($id: ID!) {\n    revokeAppKey(id: $id) {\n      appKey {\n        ...KeyRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.RevokeAppKeyDocument,
    "\n  fragment AuditRow on AuditEntry {\n    id\n    at\n    actor\n    actorKind\n    action\n    kind\n    object\n    name\n    app {\n      id\n      name\n    }\n    address\n    agent\n    requestId\n    before\n    after\n    detail\n  }\n": types.AuditRowFragmentDoc,
    "\n  query AuditTrail($first: Int, $after: String, $filter: AuditFilter) {\n    auditTrail(first: $first, after: $after, filter: $filter) {\n      nodes {\n        ...AuditRow\n      }\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      searchedTo\n    }\n  }\n": types.AuditTrailDocument,
    "\n  fragment BackfillRow on Backfill {\n    id\n    from\n    to\n    state\n    onlyMissing\n    perMinute\n    maxRunning\n    parameters\n    total\n    created\n    present\n    succeeded\n    failed\n    cancelled\n    progress\n    nextAt\n    createdBy\n    createdAt\n    finishedAt\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n    }\n  }\n": types.BackfillRowFragmentDoc,
    "\n  query JobBackfills($job: ID!, $first: Int!, $after: String) {\n    backfills(job: $job, first: $first, after: $after) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...BackfillRow\n      }\n    }\n  }\n": types.JobBackfillsDocument,
    "\n  query BackfillPage($id: ID!) {\n    backfill(id: $id) {\n      ...BackfillRow\n    }\n  }\n": types.BackfillPageDocument,
    "\n  query BackfillTasks($id: ID!, $first: Int!, $after: String) {\n    backfill(id: $id) {\n      id\n      tasks(first: $first, after: $after) {\n        pageInfo {\n          hasNextPage\n          hasPreviousPage\n          startCursor\n          endCursor\n        }\n        nodes {\n          ...TaskRow\n        }\n      }\n    }\n  }\n": types.BackfillTasksDocument,
    "\n  query BackfillPreview($input: CreateBackfillInput!) {\n    backfillPreview(input: $input) {\n      total\n      atLeast\n      present\n      first\n      last\n      sample\n      duration\n      warnings\n      error {\n        ...UserError\n      }\n    }\n  }\n": types.BackfillPreviewDocument,
    "\n  subscription BackfillChanged($id: ID!) {\n    backfillChanged(id: $id) {\n      ...BackfillRow\n    }\n  }\n": types.BackfillChangedDocument,
    "\n  mutation CreateBackfill($input: CreateBackfillInput!) {\n    createBackfill(input: $input) {\n      backfill {\n        ...BackfillRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CreateBackfillDocument,
    "\n  mutation PauseBackfill($id: ID!) {\n    pauseBackfill(id: $id) {\n      backfill {\n        ...BackfillRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.PauseBackfillDocument,
    "\n  mutation ResumeBackfill($id: ID!) {\n    resumeBackfill(id: $id) {\n      backfill {\n        ...BackfillRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.ResumeBackfillDocument,
    "\n  mutation CancelBackfill($id: ID!, $reason: String) {\n    cancelBackfill(id: $id, reason: $reason) {\n      backfill {\n        ...BackfillRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CancelBackfillDocument,
    "\n  fragment BulkRow on BulkOperation {\n    id\n    kind\n    state\n    total\n    done\n    refused\n    progress\n    parameters\n    patch\n    reason\n    selection\n    createdBy\n    createdAt\n    finishedAt\n  }\n": types.BulkRowFragmentDoc,
    "\n  query BulkOperations($first: Int!, $after: String) {\n    bulkOperations(first: $first, after: $after) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...BulkRow\n      }\n    }\n  }\n": types.BulkOperationsDocument,
    "\n  query BulkOperationPage($id: ID!, $refusals: Int!) {\n    bulkOperation(id: $id) {\n      ...BulkRow\n      refusals(first: $refusals) {\n        taskId\n        message\n        task {\n          id\n          state\n          job {\n            id\n            name\n          }\n        }\n      }\n    }\n  }\n": types.BulkOperationPageDocument,
    "\n  query BulkPreview($input: CreateBulkOperationInput!) {\n    bulkPreview(input: $input) {\n      total\n      more\n      asOf\n      error {\n        ...UserError\n      }\n    }\n  }\n": types.BulkPreviewDocument,
    "\n  subscription BulkOperationChanged($id: ID!) {\n    bulkOperationChanged(id: $id) {\n      ...BulkRow\n    }\n  }\n": types.BulkOperationChangedDocument,
    "\n  mutation CreateBulkOperation($input: CreateBulkOperationInput!) {\n    createBulkOperation(input: $input) {\n      bulkOperation {\n        ...BulkRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CreateBulkOperationDocument,
    "\n  mutation CancelBulkOperation($id: ID!) {\n    cancelBulkOperation(id: $id) {\n      bulkOperation {\n        ...BulkRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CancelBulkOperationDocument,
    "\n  fragment CalendarRow on Calendar {\n    id\n    name\n    description\n    restDays\n    quietWindows {\n      days\n      from\n      to\n      rule\n    }\n    jobCount\n    version\n    updatedAt\n    app {\n      id\n      name\n    }\n  }\n": types.CalendarRowFragmentDoc,
    "\n  fragment CalendarDetail on Calendar {\n    ...CalendarRow\n    days {\n      date\n      kind\n      name\n    }\n  }\n": types.CalendarDetailFragmentDoc,
    "\n  query Calendars($app: ID) {\n    calendars(app: $app) {\n      ...CalendarRow\n    }\n  }\n": types.CalendarsDocument,
    "\n  query Calendar($id: ID!) {\n    calendar(id: $id) {\n      ...CalendarDetail\n    }\n  }\n": types.CalendarDocument,
    "\n  query CalendarJobs($id: ID!, $locale: String!) {\n    calendar(id: $id) {\n      id\n      jobs(first: 50) {\n        id\n        name\n        enabled\n        invalidReason\n        deletedAt\n        nextFireAt\n        trigger {\n          kind\n          zone\n          description(locale: $locale)\n        }\n      }\n    }\n  }\n": types.CalendarJobsDocument,
    "\n  mutation CreateCalendar($input: CreateCalendarInput!) {\n    createCalendar(input: $input) {\n      calendar {\n        ...CalendarDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CreateCalendarDocument,
    "\n  mutation UpdateCalendar($input: UpdateCalendarInput!) {\n    updateCalendar(input: $input) {\n      calendar {\n        ...CalendarDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.UpdateCalendarDocument,
    "\n  mutation DeleteCalendar($id: ID!) {\n    deleteCalendar(id: $id) {\n      calendar {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.DeleteCalendarDocument,
    "\n  mutation ImportCalendar($input: ImportCalendarInput!) {\n    importCalendar(input: $input) {\n      calendar {\n        ...CalendarDetail\n      }\n      added {\n        date\n        kind\n        name\n      }\n      removed {\n        date\n        kind\n        name\n      }\n      unchanged\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.ImportCalendarDocument,
    "\n  fragment DeliveryRow on Notification {\n    id\n    kind\n    severity\n    state\n    reason\n    problems\n    subject\n    createdAt\n    sentAt\n    nextAt\n    channel {\n      id\n      name\n      kind\n    }\n    rule {\n      id\n      name\n    }\n  }\n": types.DeliveryRowFragmentDoc,
    "\n  fragment DeliveryDetail on Notification {\n    ...DeliveryRow\n    body\n    incidents {\n      id\n      title\n      state\n    }\n    tries {\n      number\n      at\n      duration\n      status\n      response\n      error\n      nextAt\n    }\n  }\n": types.DeliveryDetailFragmentDoc,
    "\n  query Deliveries($first: Int!, $after: String, $filter: NotificationFilter) {\n    notifications(first: $first, after: $after, filter: $filter) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...DeliveryRow\n      }\n    }\n  }\n": types.DeliveriesDocument,
    "\n  subscription DeliveryListChanged($filter: NotificationFilter) {\n    notificationChanged(filter: $filter) {\n      ...DeliveryRow\n    }\n  }\n": types.DeliveryListChangedDocument,
    "\n  query Delivery($id: ID!) {\n    notification(id: $id) {\n      ...DeliveryDetail\n    }\n  }\n": types.DeliveryDocument,
    "\n  mutation ReplayNotification($id: ID!) {\n    replayNotification(id: $id) {\n      notification {\n        ...DeliveryDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.ReplayNotificationDocument,
    "\n  query DeliveryNames {\n    alertChannels {\n      id\n      name\n    }\n    alertRules {\n      id\n      name\n    }\n  }\n": types.DeliveryNamesDocument,
    "\n  query FilteredIncident($id: ID!) {\n    incident(id: $id) {\n      id\n      title\n    }\n  }\n": types.FilteredIncidentDocument,
    "\n  fragment IncidentRow on Incident {\n    id\n    title\n    event\n    severity\n    state\n    flapping\n    openedAt\n    lastAt\n    count\n    acknowledgedAt\n    acknowledgedBy\n    resolvedAt\n    resolution\n    downtime\n    lastError\n    server\n    rule {\n      id\n      name\n    }\n    silencedBy {\n      id\n      reason\n      activeUntil\n    }\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n      app {\n        id\n        name\n      }\n    }\n    group {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n    node {\n      id\n      name\n    }\n  }\n": types.IncidentRowFragmentDoc,
    "\n  fragment IncidentDetail on Incident {\n    ...IncidentRow\n    lastTask {\n      id\n      state\n      scheduledAt\n      maxAttempts\n      attempts {\n        id\n        number\n        state\n        nodeName\n        startedAt\n        finishedAt\n        error\n      }\n    }\n    notifications {\n      id\n      kind\n      state\n      severity\n      reason\n      createdAt\n      sentAt\n      nextAt\n      channel {\n        id\n        name\n        kind\n      }\n    }\n  }\n": types.IncidentDetailFragmentDoc,
    "\n  fragment EntryRow on IncidentEntry {\n    id\n    at\n    kind\n    message\n    attempt\n    node\n    actor\n    task {\n      id\n    }\n  }\n": types.EntryRowFragmentDoc,
    "\n  query Incidents($first: Int!, $after: String, $filter: IncidentFilter) {\n    incidents(first: $first, after: $after, filter: $filter) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...IncidentRow\n      }\n    }\n  }\n": types.IncidentsDocument,
    "\n  subscription IncidentListChanged($filter: IncidentFilter) {\n    incidentChanged(filter: $filter) {\n      ...IncidentRow\n    }\n  }\n": types.IncidentListChangedDocument,
    "\n  query Incident($id: ID!) {\n    incident(id: $id) {\n      ...IncidentDetail\n    }\n  }\n": types.IncidentDocument,
    "\n  query IncidentTimeline($id: ID!, $first: Int!, $after: String) {\n    incident(id: $id) {\n      id\n      timeline(first: $first, after: $after) {\n        pageInfo {\n          hasNextPage\n          hasPreviousPage\n          startCursor\n          endCursor\n        }\n        nodes {\n          ...EntryRow\n        }\n      }\n    }\n  }\n": types.IncidentTimelineDocument,
    "\n  subscription IncidentTouched($filter: IncidentFilter) {\n    incidentChanged(filter: $filter) {\n      ...IncidentRow\n    }\n  }\n": types.IncidentTouchedDocument,
    "\n  mutation AcknowledgeIncident($id: ID!, $comment: String) {\n    acknowledgeIncident(id: $id, comment: $comment) {\n      incident {\n        ...IncidentRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.AcknowledgeIncidentDocument,
    "\n  mutation UnacknowledgeIncident($id: ID!) {\n    unacknowledgeIncident(id: $id) {\n      incident {\n        ...IncidentRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.UnacknowledgeIncidentDocument,
    "\n  mutation ResolveIncident($id: ID!, $comment: String) {\n    resolveIncident(id: $id, comment: $comment) {\n      incident {\n        ...IncidentRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.ResolveIncidentDocument,
    "\n  mutation CommentIncident($id: ID!, $comment: String!) {\n    commentIncident(id: $id, comment: $comment) {\n      incident {\n        ...IncidentRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CommentIncidentDocument,
    "\n  query RuleNames {\n    alertRules {\n      id\n      name\n    }\n  }\n": types.RuleNamesDocument,
    "\n  fragment EditableJob on Job {\n    id\n    name\n    handler\n    description\n    labels\n    parameters\n    enabled\n    version\n    priority\n    timeout\n    concurrency\n    maxRunning\n    delivery\n    routing {\n      ...RoutingFields\n    }\n    app {\n      id\n      name\n    }\n    group {\n      id\n      name\n    }\n    trigger {\n      kind\n      expression\n      zone\n      startAt\n      endAt\n      jitter\n      every\n      delay\n      calendar {\n        id\n        name\n      }\n      onRestDay\n      upstream {\n        on\n        job {\n          id\n          name\n          app {\n            id\n            name\n          }\n        }\n      }\n      mode\n      window\n    }\n    retry {\n      maxAttempts\n      backoff\n      delay\n      maxDelay\n      jitter\n    }\n    misfire {\n      policy\n      grace\n      limit\n    }\n  }\n": types.EditableJobFragmentDoc,
    "\n  query EditableJob($id: ID!) {\n    job(id: $id) {\n      ...EditableJob\n    }\n  }\n": types.EditableJobDocument,
    "\n  query GroupOptions {\n    nodeGroups {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n  }\n": types.GroupOptionsDocument,
    "\n  query GroupHandlers($id: ID!) {\n    nodeGroup(id: $id) {\n      id\n      nodes {\n        id\n        name\n        state\n        labels\n        handlers\n      }\n    }\n  }\n": types.GroupHandlersDocument,
    "\n  query CalendarOptions($app: ID!) {\n    calendars(app: $app) {\n      id\n      name\n      restDays\n    }\n  }\n": types.CalendarOptionsDocument,
    "\n  query UpstreamOptions($search: String) {\n    jobs(first: 20, filter: { search: $search }) {\n      nodes {\n        id\n        name\n        app {\n          id\n          name\n        }\n      }\n    }\n  }\n": types.UpstreamOptionsDocument,
    "\n  fragment Neighbour on Job {\n    id\n    name\n    app {\n      id\n      name\n    }\n  }\n": types.NeighbourFragmentDoc,
    "\n  query UpstreamNeighbours($id: ID!) {\n    job(id: $id) {\n      ...Neighbour\n      trigger {\n        upstream {\n          on\n          job {\n            ...Neighbour\n          }\n        }\n      }\n    }\n  }\n": types.UpstreamNeighboursDocument,
    "\n  query DownstreamNeighbours($id: ID!) {\n    job(id: $id) {\n      ...Neighbour\n      downstream(first: 12) {\n        ...Neighbour\n        downstream(first: 6) {\n          ...Neighbour\n        }\n      }\n    }\n  }\n": types.DownstreamNeighboursDocument,
    "\n  query SchedulePreview($input: SchedulePreviewInput!) {\n    schedulePreview(input: $input) {\n      fires\n      description\n      dialect\n      warnings\n      clockChanges {\n        at\n        offsetBefore\n        offsetAfter\n      }\n      restDays {\n        date\n        kind\n        name\n      }\n      excluded {\n        at\n        reason\n        message\n        movedTo\n      }\n      error {\n        ...UserError\n      }\n    }\n  }\n": types.SchedulePreviewDocument,
    "\n  mutation CreateJob($input: CreateJobInput!) {\n    createJob(input: $input) {\n      job {\n        id\n        name\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CreateJobDocument,
    "\n  mutation UpdateJob($input: UpdateJobInput!) {\n    updateJob(input: $input) {\n      job {\n        ...EditableJob\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.UpdateJobDocument,
    "\n  query JobJoins($id: ID!) {\n    job(id: $id) {\n      id\n      joins(first: 20) {\n        window\n        openedAt\n        firedAt\n        reason\n        arrived {\n          at\n          condition\n          job {\n            id\n            name\n          }\n          task {\n            id\n            state\n          }\n        }\n        missing {\n          id\n          name\n        }\n        task {\n          id\n          state\n        }\n      }\n    }\n  }\n": types.JobJoinsDocument,
    "\n  fragment JobDetail on Job {\n    id\n    name\n    handler\n    description\n    labels\n    parameters\n    enabled\n    invalidReason\n    warnings\n    deletedAt\n    version\n    createdAt\n    updatedAt\n    priority\n    timeout\n    concurrency\n    maxRunning\n    delivery\n    routing {\n      ...RoutingFields\n    }\n    nextFireAt\n    lastFireAt\n    app {\n      id\n      name\n    }\n    group {\n      id\n      name\n    }\n    trigger {\n      kind\n      description(locale: $locale)\n      expression\n      dialect\n      resolved\n      zone\n      startAt\n      endAt\n      jitter\n      every\n      delay\n      mode\n      window\n      upstream {\n        on\n        job {\n          id\n          name\n        }\n      }\n    }\n    downstream(first: 50) {\n      id\n      name\n    }\n    retry {\n      maxAttempts\n      backoff\n      delay\n      maxDelay\n      jitter\n    }\n    misfire {\n      policy\n      grace\n      limit\n    }\n    stats {\n      succeeded\n      failed\n      cancelled\n      skipped\n      retried\n      missed\n      excluded\n      late\n      meanDuration\n      meanDelay\n    }\n    nextFires(count: 8)\n    skippedFires(first: 20) {\n      firstAt\n      lastAt\n      count\n      reason\n      message\n      recordedAt\n    }\n  }\n": types.JobDetailFragmentDoc,
    "\n  fragment RunRow on Task {\n    id\n    state\n    trigger\n    scheduledAt\n    startedAt\n    finishedAt\n    duration\n    attempt\n    maxAttempts\n    error\n    reason\n    node {\n      id\n      name\n    }\n  }\n": types.RunRowFragmentDoc,
    "\n  query Job($id: ID!, $locale: String!) {\n    job(id: $id) {\n      ...JobDetail\n    }\n  }\n": types.JobDocument,
    "\n  query JobRuns($id: ID!) {\n    job(id: $id) {\n      id\n      recentTasks(first: 20) {\n        ...RunRow\n      }\n    }\n  }\n": types.JobRunsDocument,
    "\n  subscription JobRunChanged($job: ID!) {\n    taskChanged(filter: { job: $job }) {\n      ...RunRow\n    }\n  }\n": types.JobRunChangedDocument,
    "\n  subscription JobDetailChanged($filter: JobFilter) {\n    jobChanged(filter: $filter) {\n      id\n      enabled\n      nextFireAt\n      lastFireAt\n      version\n      deletedAt\n    }\n  }\n": types.JobDetailChangedDocument,
    "\n  mutation DeleteJob($id: ID!) {\n    deleteJob(id: $id) {\n      job {\n        id\n        deletedAt\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.DeleteJobDocument,
    "\n  fragment RevisionRow on JobRevision {\n    number\n    at\n    author\n    authorKind\n    action\n    changes {\n      field\n    }\n  }\n": types.RevisionRowFragmentDoc,
    "\n  query JobRevisions($id: ID!, $first: Int!) {\n    job(id: $id) {\n      id\n      name\n      version\n      deletedAt\n      app {\n        id\n        name\n      }\n      trigger {\n        kind\n        zone\n      }\n      revisions(first: $first) {\n        nodes {\n          ...RevisionRow\n        }\n        pageInfo {\n          hasNextPage\n        }\n      }\n    }\n  }\n": types.JobRevisionsDocument,
    "\n  query RevisionPair($id: ID!, $before: Int!, $after: Int!) {\n    job(id: $id) {\n      id\n      version\n      before: revision(number: $before) {\n        number\n        snapshot\n      }\n      after: revision(number: $after) {\n        number\n        snapshot\n        rollBackChanges {\n          ...FieldChange\n        }\n      }\n    }\n  }\n": types.RevisionPairDocument,
    "\n  fragment FieldChange on JobFieldChange {\n    field\n    before\n    after\n  }\n": types.FieldChangeFragmentDoc,
    "\n  mutation RollBackJob($id: ID!, $revision: Int!, $version: Int!) {\n    rollBackJob(id: $id, revision: $revision, version: $version) {\n      job {\n        id\n        version\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.RollBackJobDocument,
    "\n  query RevisionGroup($id: ID!) {\n    nodeGroup(id: $id) {\n      id\n      name\n    }\n  }\n": types.RevisionGroupDocument,
    "\n  query RevisionCalendar($id: ID!) {\n    calendar(id: $id) {\n      id\n      name\n    }\n  }\n": types.RevisionCalendarDocument,
    "\n  query RevisionJob($id: ID!) {\n    job(id: $id) {\n      id\n      name\n    }\n  }\n": types.RevisionJobDocument,
    "\n  query WhyNotRun($job: ID!, $at: Time!, $locale: String!) {\n    whyNotRun(job: $job, at: $at, locale: $locale) {\n      code\n      answer\n      evidence {\n        at\n        message\n      }\n      task {\n        id\n        state\n      }\n      previousFire\n      nextFire\n    }\n  }\n": types.WhyNotRunDocument,
    "\n  fragment JobRow on Job {\n    id\n    name\n    handler\n    enabled\n    invalidReason\n    deletedAt\n    warnings\n    nextFireAt\n    lastFireAt\n    app {\n      id\n      name\n    }\n    group {\n      id\n      name\n    }\n    trigger {\n      kind\n      zone\n      description(locale: $locale)\n    }\n    stats {\n      succeeded\n      failed\n      cancelled\n      skipped\n    }\n  }\n": types.JobRowFragmentDoc,
    "\n  query Jobs($first: Int!, $after: String, $filter: JobFilter, $orderBy: JobOrder, $locale: String!) {\n    jobs(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...JobRow\n      }\n    }\n  }\n": types.JobsDocument,
    "\n  subscription JobChanged($filter: JobFilter, $locale: String!) {\n    jobChanged(filter: $filter) {\n      ...JobRow\n    }\n  }\n": types.JobChangedDocument,
    "\n  query AppNames {\n    apps {\n      id\n      name\n    }\n  }\n": types.AppNamesDocument,
    "\n  mutation PauseJob($id: ID!) {\n    pauseJob(id: $id) {\n      job {\n        id\n        name\n        enabled\n        nextFireAt\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.PauseJobDocument,
    "\n  mutation ResumeJob($id: ID!) {\n    resumeJob(id: $id) {\n      job {\n        id\n        name\n        enabled\n        nextFireAt\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.ResumeJobDocument,
    "\n  mutation TriggerJob($input: TriggerJobInput!) {\n    triggerJob(input: $input) {\n      task {\n        id\n        state\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.TriggerJobDocument,
    "\n  query JobParameters($id: ID!) {\n    job(id: $id) {\n      id\n      parameters\n      priority\n      downstream(first: 1) {\n        id\n      }\n    }\n  }\n": types.JobParametersDocument,
    "\n  fragment NodeRow on Node {\n    id\n    name\n    state\n    slots\n    running\n    lastSeenAt\n    incarnation\n    startedAt\n    labels\n    handlers\n    sdk\n    host\n    stuck\n    lingering\n    group {\n      id\n    }\n  }\n": types.NodeRowFragmentDoc,
    "\n  query NodeSlots($id: ID!) {\n    node(id: $id) {\n      id\n      stuckAttempts {\n        task {\n          id\n          job {\n            id\n            name\n          }\n        }\n        attempt\n        handler\n        since\n        cause\n        stack\n      }\n      handlerSlots {\n        handlers\n        slots\n        running\n      }\n    }\n  }\n": types.NodeSlotsDocument,
    "\n  fragment GroupCard on NodeGroup {\n    id\n    name\n    app {\n      id\n      name\n    }\n    maxRunning\n    releaseRate\n    releaseBurst\n    routingRule {\n      ...RoutingFields\n    }\n    heartbeatInterval\n    heartbeatMisses\n    takeoverAfter\n    jobCount\n    warnings\n    waiting\n    running\n    slots\n    due\n    oldestDueAt\n    drainsIn\n    drainsNote\n    releasedLastSecond\n    limitedBy\n  }\n": types.GroupCardFragmentDoc,
    "\n  query Nodes {\n    nodes {\n      ...NodeRow\n    }\n  }\n": types.NodesDocument,
    "\n  query NodeGroups($app: ID) {\n    nodeGroups(app: $app) {\n      ...GroupCard\n    }\n  }\n": types.NodeGroupsDocument,
    "\n  subscription NodeChanged {\n    nodeChanged {\n      ...NodeRow\n    }\n  }\n": types.NodeChangedDocument,
    "\n  subscription NodeGroupChanged($app: ID) {\n    nodeGroupChanged(app: $app) {\n      ...GroupCard\n    }\n  }\n": types.NodeGroupChangedDocument,
    "\n  mutation CreateNodeGroup($input: CreateNodeGroupInput!) {\n    createNodeGroup(input: $input) {\n      nodeGroup {\n        ...GroupCard\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CreateNodeGroupDocument,
    "\n  mutation UpdateNodeGroup($input: UpdateNodeGroupInput!) {\n    updateNodeGroup(input: $input) {\n      nodeGroup {\n        ...GroupCard\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.UpdateNodeGroupDocument,
    "\n  mutation DeleteNodeGroup($id: ID!) {\n    deleteNodeGroup(id: $id) {\n      nodeGroup {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.DeleteNodeGroupDocument,
    "\n  mutation DrainNode($id: ID!) {\n    drainNode(id: $id) {\n      node {\n        ...NodeRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.DrainNodeDocument,
    "\n  mutation ResumeNode($id: ID!) {\n    resumeNode(id: $id) {\n      node {\n        ...NodeRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.ResumeNodeDocument,
    "\n  mutation RemoveNode($id: ID!) {\n    removeNode(id: $id) {\n      node {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.RemoveNodeDocument,
    "\n  fragment OverviewFields on Overview {\n    at\n    waiting\n    running\n    retrying\n    failedQueue\n    slots\n    jobs\n    nodes {\n      online\n      suspect\n      offline\n      draining\n    }\n    minutes {\n      at\n      succeeded\n      failed\n      retried\n      cancelled\n      skipped\n    }\n    recentFailures {\n      id\n      state\n      scheduledAt\n      finishedAt\n      error\n      reason\n      attempt\n      job {\n        id\n        name\n        trigger {\n          zone\n        }\n      }\n    }\n    upcoming {\n      at\n      job {\n        id\n        name\n        trigger {\n          zone\n        }\n      }\n    }\n  }\n": types.OverviewFieldsFragmentDoc,
    "\n  query Overview {\n    overview {\n      ...OverviewFields\n    }\n  }\n": types.OverviewDocument,
    "\n  subscription OverviewChanged {\n    overviewChanged {\n      ...OverviewFields\n    }\n  }\n": types.OverviewChangedDocument,
    "\n  query FirstSteps {\n    apps {\n      id\n      name\n      jobCount\n      onlineNodeCount\n    }\n    installation {\n      publicUrl\n    }\n  }\n": types.FirstStepsDocument,
    "\n  fragment FigureFields on ReportFigures {\n    ran\n    succeeded\n    failed\n    recovered\n    takenOver\n    late\n    missed\n    running\n    slower\n  }\n": types.FigureFieldsFragmentDoc,
    "\n  fragment ReportLineFields on ReportLine {\n    at\n    count\n    error\n    duration\n    usual\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n      app {\n        id\n        name\n      }\n    }\n    task {\n      id\n    }\n  }\n": types.ReportLineFieldsFragmentDoc,
    "\n  query MorningReport($app: ID, $day: Date, $at: String, $zone: String) {\n    morningReport(app: $app, day: $day, at: $at, zone: $zone) {\n      from\n      to\n      failedJobs\n      missedJobs\n      figures {\n        ...FigureFields\n      }\n      week {\n        ...FigureFields\n      }\n      failures {\n        ...ReportLineFields\n      }\n      missed {\n        ...ReportLineFields\n      }\n      slow {\n        ...ReportLineFields\n      }\n      running {\n        ...ReportLineFields\n      }\n    }\n  }\n": types.MorningReportDocument,
    "\n  fragment ScheduleRow on ReportSchedule {\n    id\n    name\n    zone\n    at\n    days\n    enabled\n    lastSentAt\n    nextAt\n    version\n    app {\n      id\n      name\n    }\n    channels {\n      id\n      name\n    }\n    people {\n      id\n      name\n    }\n  }\n": types.ScheduleRowFragmentDoc,
    "\n  query ReportSchedules {\n    reportSchedules {\n      ...ScheduleRow\n    }\n  }\n": types.ReportSchedulesDocument,
    "\n  mutation CreateReportSchedule($input: ReportScheduleInput!) {\n    createReportSchedule(input: $input) {\n      schedule {\n        ...ScheduleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CreateReportScheduleDocument,
    "\n  mutation UpdateReportSchedule($id: ID!, $input: ReportScheduleInput!) {\n    updateReportSchedule(id: $id, input: $input) {\n      schedule {\n        ...ScheduleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.UpdateReportScheduleDocument,
    "\n  mutation DeleteReportSchedule($id: ID!) {\n    deleteReportSchedule(id: $id) {\n      schedule {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.DeleteReportScheduleDocument,
    "\n  mutation SendReportNow($id: ID!) {\n    sendReportNow(id: $id) {\n      schedule {\n        ...ScheduleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.SendReportNowDocument,
    "\n  fragment RoutingFields on Routing {\n    strategy\n    key\n    node\n    fallback\n    fallbackAfter\n    labels\n  }\n": types.RoutingFieldsFragmentDoc,
    "\n  query SecurityFindings {\n    securityFindings {\n      code\n      severity\n      subjects\n      count\n    }\n  }\n": types.SecurityFindingsDocument,
    "\n  fragment ServerRow on Server {\n    id\n    name\n    version\n    state\n    startedAt\n    lastSeenAt\n    partitions\n    groups\n    lag\n    clockOffset\n    locks\n    degraded\n    self\n  }\n": types.ServerRowFragmentDoc,
    "\n  query Servers {\n    servers {\n      ...ServerRow\n    }\n  }\n": types.ServersDocument,
    "\n  subscription ServerChanged {\n    serverChanged {\n      ...ServerRow\n    }\n  }\n": types.ServerChangedDocument,
    "\n  fragment SilenceRow on Silence {\n    id\n    kind\n    reason\n    author\n    startsAt\n    endsAt\n    remindBefore\n    active\n    activeUntil\n    suppressed\n    createdAt\n    scope {\n      ...ScopeFields\n    }\n    rule {\n      id\n      name\n    }\n    recurrence {\n      days\n      from\n      to\n      zone\n    }\n  }\n": types.SilenceRowFragmentDoc,
    "\n  query Silences {\n    silences {\n      ...SilenceRow\n    }\n  }\n": types.SilencesDocument,
    "\n  mutation CreateSilence($input: SilenceInput!) {\n    createSilence(input: $input) {\n      silence {\n        ...SilenceRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CreateSilenceDocument,
    "\n  mutation EndSilence($id: ID!) {\n    endSilence(id: $id) {\n      silence {\n        ...SilenceRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.EndSilenceDocument,
    "\n  fragment ChainTask on Task {\n    id\n    state\n    scheduledAt\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n    }\n  }\n": types.ChainTaskFragmentDoc,
    "\n  query TaskChain($id: ID!) {\n    task(id: $id) {\n      id\n      upstream {\n        ...ChainTask\n      }\n      downstream(first: 20) {\n        ...ChainTask\n      }\n      job {\n        id\n        downstream(first: 20) {\n          id\n        }\n      }\n    }\n  }\n": types.TaskChainDocument,
    "\n  fragment TaskDetail on Task {\n    ...TaskRow\n    priority\n    availableAt\n    createdAt\n    deadlineAt\n    parameters\n    result\n    uniqueKey\n    shard\n    shards\n    progressMessage\n    rootTask {\n      id\n      job {\n        id\n        name\n      }\n    }\n    parent {\n      id\n    }\n    backfill {\n      id\n    }\n    group {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n    attempts {\n      id\n      number\n      state\n      nodeName\n      availableAt\n      dispatchedAt\n      startedAt\n      finishedAt\n      error\n    }\n    timeline {\n      at\n      kind\n      attempt\n      message\n      actor\n    }\n  }\n": types.TaskDetailFragmentDoc,
    "\n  query TaskPage($id: ID!) {\n    task(id: $id) {\n      ...TaskDetail\n    }\n  }\n": types.TaskPageDocument,
    "\n  subscription OneTaskChanged($id: String!) {\n    taskChanged(filter: { search: $id }) {\n      ...TaskDetail\n    }\n  }\n": types.OneTaskChangedDocument,
    "\n  query TaskLogs($id: ID!, $first: Int!, $after: Long) {\n    task(id: $id) {\n      id\n      logs(first: $first, after: $after) {\n        hasNextPage\n        endCursor\n        truncated\n        nodes {\n          seq\n          at\n          level\n          message\n          fields\n          attempt\n        }\n      }\n    }\n  }\n": types.TaskLogsDocument,
    "\n  subscription TaskLogParts($id: ID!, $after: Long) {\n    taskLogParts(task: $id, after: $after) {\n      truncated\n      lateAttempt\n      nodes {\n        seq\n        at\n        level\n        message\n        fields\n        attempt\n      }\n    }\n  }\n": types.TaskLogPartsDocument,
    "\n  query TaskShards($id: ID!, $first: Int!, $after: String) {\n    task(id: $id) {\n      id\n      children(first: $first, after: $after) {\n        pageInfo {\n          hasNextPage\n          hasPreviousPage\n          startCursor\n          endCursor\n        }\n        nodes {\n          ...TaskRow\n          shard\n        }\n      }\n    }\n  }\n": types.TaskShardsDocument,
    "\n  subscription TaskShardChanged($task: ID!) {\n    taskChanged(filter: { parent: $task }) {\n      ...TaskRow\n      shard\n    }\n  }\n": types.TaskShardChangedDocument,
    "\n  mutation RescheduleTask($id: ID!, $delay: Duration, $runAt: Time) {\n    rescheduleTask(id: $id, delay: $delay, runAt: $runAt) {\n      task {\n        ...TaskDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.RescheduleTaskDocument,
    "\n  fragment TaskRow on Task {\n    id\n    state\n    trigger\n    scheduledAt\n    startedAt\n    finishedAt\n    duration\n    attempt\n    maxAttempts\n    reason\n    error\n    progress\n    cancelRequestedAt\n    node {\n      id\n      name\n    }\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n    }\n  }\n": types.TaskRowFragmentDoc,
    "\n  query Tasks($first: Int!, $after: String, $filter: TaskFilter) {\n    tasks(first: $first, after: $after, filter: $filter) {\n      totalCount\n      searchedTo\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...TaskRow\n      }\n    }\n  }\n": types.TasksDocument,
    "\n  subscription TaskListChanged($filter: TaskFilter) {\n    taskChanged(filter: $filter) {\n      ...TaskRow\n    }\n  }\n": types.TaskListChangedDocument,
    "\n  mutation CancelTask($id: ID!, $reason: String) {\n    cancelTask(id: $id, reason: $reason) {\n      task {\n        ...TaskRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CancelTaskDocument,
    "\n  mutation RetryTask($id: ID!, $parameters: JSON) {\n    retryTask(id: $id, parameters: $parameters) {\n      task {\n        ...TaskRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.RetryTaskDocument,
    "\n  mutation DiscardTask($id: ID!, $reason: String) {\n    discardTask(id: $id, reason: $reason) {\n      task {\n        ...TaskRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.DiscardTaskDocument,
    "\n  query TaskGroups {\n    nodeGroups {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n  }\n": types.TaskGroupsDocument,
    "\n  query FilteredJob($id: ID!) {\n    job(id: $id) {\n      id\n      name\n    }\n  }\n": types.FilteredJobDocument,
    "\n  query FilteredNode($id: ID!) {\n    node(id: $id) {\n      id\n      name\n    }\n  }\n": types.FilteredNodeDocument,
    "\n  query FilteredBackfill($id: ID!) {\n    backfill(id: $id) {\n      id\n      from\n      to\n      job {\n        id\n        name\n        trigger {\n          zone\n        }\n      }\n    }\n  }\n": types.FilteredBackfillDocument,
    "\n  query TaskParameters($id: ID!) {\n    task(id: $id) {\n      id\n      parameters\n    }\n  }\n": types.TaskParametersDocument,
    "\n  fragment TokenRow on ApiToken {\n    id\n    name\n    prefix\n    role\n    apps {\n      ...AppRoleFields\n    }\n    scopes\n    createdAt\n    expiresAt\n    lastUsedAt\n    revokedAt\n  }\n": types.TokenRowFragmentDoc,
    "\n  query Tokens($first: Int, $after: String, $search: String, $active: Boolean) {\n    apiTokens(first: $first, after: $after, search: $search, active: $active) {\n      nodes {\n        ...TokenRow\n      }\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n    }\n  }\n": types.TokensDocument,
    "\n  mutation CreateToken($input: CreateApiTokenInput!) {\n    createApiToken(input: $input) {\n      apiToken {\n        ...TokenRow\n      }\n      token\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CreateTokenDocument,
    "\n  mutation RevokeToken($id: ID!) {\n    revokeApiToken(id: $id) {\n      apiToken {\n        ...TokenRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.RevokeTokenDocument,
    "\n  fragment AppRoleFields on AppRole {\n    role\n    app {\n      id\n      name\n    }\n  }\n": types.AppRoleFieldsFragmentDoc,
    "\n  fragment UserRow on User {\n    id\n    name\n    role\n    apps {\n      ...AppRoleFields\n    }\n    hasPassword\n    disabledAt\n    createdAt\n  }\n": types.UserRowFragmentDoc,
    "\n  query Users($first: Int, $after: String, $search: String, $disabled: Boolean) {\n    users(first: $first, after: $after, search: $search, disabled: $disabled) {\n      nodes {\n        ...UserRow\n      }\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n    }\n  }\n": types.UsersDocument,
    "\n  query User($id: ID!) {\n    user(id: $id) {\n      ...UserRow\n    }\n  }\n": types.UserDocument,
    "\n  query UserSessions($user: ID!) {\n    userSessions(user: $user) {\n      id\n      current\n      createdAt\n      lastSeenAt\n      expiresAt\n    }\n  }\n": types.UserSessionsDocument,
    "\n  mutation CreateUser($input: CreateUserInput!) {\n    createUser(input: $input) {\n      user {\n        ...UserRow\n      }\n      link\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.CreateUserDocument,
    "\n  mutation UpdateUser($input: UpdateUserInput!) {\n    updateUser(input: $input) {\n      user {\n        ...UserRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.UpdateUserDocument,
    "\n  mutation ResetUserPassword($id: ID!) {\n    resetUserPassword(id: $id) {\n      user {\n        ...UserRow\n      }\n      link\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.ResetUserPasswordDocument,
    "\n  mutation EndUserSession($id: ID!) {\n    endSession(id: $id) {\n      session {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n": types.EndUserSessionDocument,
    "\n  query RoleApps {\n    apps {\n      id\n      name\n    }\n  }\n": types.RoleAppsDocument,
    "\n  fragment UserError on UserError {\n    code\n    field\n    message\n  }\n": types.UserErrorFragmentDoc,
    "\n  query Viewer {\n    viewer {\n      name\n      isToken\n      role\n      roleInAllApps\n      locale\n      timeZone\n    }\n  }\n": types.ViewerDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FailedCount {\n    overview {\n      failedQueue\n    }\n  }\n"): (typeof documents)["\n  query FailedCount {\n    overview {\n      failedQueue\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription FailedCountChanged {\n    overviewChanged {\n      failedQueue\n    }\n  }\n"): (typeof documents)["\n  subscription FailedCountChanged {\n    overviewChanged {\n      failedQueue\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PaletteJobs($search: String!) {\n    jobs(first: 8, filter: { search: $search }) {\n      nodes {\n        id\n        name\n        app {\n          id\n          name\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query PaletteJobs($search: String!) {\n    jobs(first: 8, filter: { search: $search }) {\n      nodes {\n        id\n        name\n        app {\n          id\n          name\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateViewer($input: UpdateViewerInput!) {\n    updateViewer(input: $input) {\n      viewer {\n        name\n        isToken\n        role\n        roleInAllApps\n        locale\n        timeZone\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateViewer($input: UpdateViewerInput!) {\n    updateViewer(input: $input) {\n      viewer {\n        name\n        isToken\n        role\n        roleInAllApps\n        locale\n        timeZone\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment PersonFields on Person {\n    id\n    name\n    contacts {\n      email\n      mobile\n      feishuId\n      wecomId\n      slackId\n      telegramId\n      discordId\n    }\n  }\n"): (typeof documents)["\n  fragment PersonFields on Person {\n    id\n    name\n    contacts {\n      email\n      mobile\n      feishuId\n      wecomId\n      slackId\n      telegramId\n      discordId\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query People {\n    people {\n      ...PersonFields\n    }\n  }\n"): (typeof documents)["\n  query People {\n    people {\n      ...PersonFields\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateContacts($input: UpdateContactsInput!) {\n    updateContacts(input: $input) {\n      person {\n        ...PersonFields\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateContacts($input: UpdateContactsInput!) {\n    updateContacts(input: $input) {\n      person {\n        ...PersonFields\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SecondFactorFields on SecondFactor {\n    since\n    recoveryCodesLeft\n    required\n    available\n  }\n"): (typeof documents)["\n  fragment SecondFactorFields on SecondFactor {\n    since\n    recoveryCodesLeft\n    required\n    available\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SecondFactor {\n    secondFactor {\n      ...SecondFactorFields\n    }\n  }\n"): (typeof documents)["\n  query SecondFactor {\n    secondFactor {\n      ...SecondFactorFields\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation BeginSecondFactor($currentPassword: String!) {\n    beginSecondFactor(currentPassword: $currentPassword) {\n      secret\n      qr\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation BeginSecondFactor($currentPassword: String!) {\n    beginSecondFactor(currentPassword: $currentPassword) {\n      secret\n      qr\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConfirmSecondFactor($code: String!) {\n    confirmSecondFactor(code: $code) {\n      recoveryCodes\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation ConfirmSecondFactor($code: String!) {\n    confirmSecondFactor(code: $code) {\n      recoveryCodes\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RenewRecoveryCodes($currentPassword: String!) {\n    renewRecoveryCodes(currentPassword: $currentPassword) {\n      recoveryCodes\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation RenewRecoveryCodes($currentPassword: String!) {\n    renewRecoveryCodes(currentPassword: $currentPassword) {\n      recoveryCodes\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveSecondFactor($currentPassword: String!) {\n    removeSecondFactor(currentPassword: $currentPassword) {\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation RemoveSecondFactor($currentPassword: String!) {\n    removeSecondFactor(currentPassword: $currentPassword) {\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment OwnSessionRow on Session {\n    id\n    current\n    createdAt\n    lastSeenAt\n    expiresAt\n    method\n    address\n    agent\n  }\n"): (typeof documents)["\n  fragment OwnSessionRow on Session {\n    id\n    current\n    createdAt\n    lastSeenAt\n    expiresAt\n    method\n    address\n    agent\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OwnSessions {\n    sessions {\n      ...OwnSessionRow\n    }\n  }\n"): (typeof documents)["\n  query OwnSessions {\n    sessions {\n      ...OwnSessionRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EndOwnSession($id: ID!) {\n    endSession(id: $id) {\n      session {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation EndOwnSession($id: ID!) {\n    endSession(id: $id) {\n      session {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ChannelRow on AlertChannel {\n    id\n    name\n    kind\n    enabled\n    disabledReason\n    language\n    perMinute\n    burst\n    queued\n    lastSentAt\n    lastError\n    createdAt\n    version\n  }\n"): (typeof documents)["\n  fragment ChannelRow on AlertChannel {\n    id\n    name\n    kind\n    enabled\n    disabledReason\n    language\n    perMinute\n    burst\n    queued\n    lastSentAt\n    lastError\n    createdAt\n    version\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ChannelDetail on AlertChannel {\n    ...ChannelRow\n    settings\n    maxAge\n    templates {\n      kind\n      subject\n      body\n    }\n  }\n"): (typeof documents)["\n  fragment ChannelDetail on AlertChannel {\n    ...ChannelRow\n    settings\n    maxAge\n    templates {\n      kind\n      subject\n      body\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AlertChannels {\n    alertChannels {\n      ...ChannelRow\n    }\n  }\n"): (typeof documents)["\n  query AlertChannels {\n    alertChannels {\n      ...ChannelRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AlertChannel($id: ID!) {\n    alertChannel(id: $id) {\n      ...ChannelDetail\n    }\n  }\n"): (typeof documents)["\n  query AlertChannel($id: ID!) {\n    alertChannel(id: $id) {\n      ...ChannelDetail\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ChannelKinds {\n    channelKinds {\n      kind\n      perMinute\n      burst\n      sizeLimit\n      sizeUnit\n      note\n    }\n  }\n"): (typeof documents)["\n  query ChannelKinds {\n    channelKinds {\n      kind\n      perMinute\n      burst\n      sizeLimit\n      sizeUnit\n      note\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateAlertChannel($input: AlertChannelInput!) {\n    createAlertChannel(input: $input) {\n      channel {\n        ...ChannelDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CreateAlertChannel($input: AlertChannelInput!) {\n    createAlertChannel(input: $input) {\n      channel {\n        ...ChannelDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateAlertChannel($id: ID!, $input: AlertChannelInput!) {\n    updateAlertChannel(id: $id, input: $input) {\n      channel {\n        ...ChannelDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateAlertChannel($id: ID!, $input: AlertChannelInput!) {\n    updateAlertChannel(id: $id, input: $input) {\n      channel {\n        ...ChannelDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteAlertChannel($id: ID!) {\n    deleteAlertChannel(id: $id) {\n      channel {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation DeleteAlertChannel($id: ID!) {\n    deleteAlertChannel(id: $id) {\n      channel {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EnableAlertChannel($id: ID!) {\n    enableAlertChannel(id: $id) {\n      channel {\n        ...ChannelRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation EnableAlertChannel($id: ID!) {\n    enableAlertChannel(id: $id) {\n      channel {\n        ...ChannelRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DisableAlertChannel($id: ID!) {\n    disableAlertChannel(id: $id) {\n      channel {\n        ...ChannelRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation DisableAlertChannel($id: ID!) {\n    disableAlertChannel(id: $id) {\n      channel {\n        ...ChannelRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation TestAlertChannel($id: ID!) {\n    testAlertChannel(id: $id) {\n      ok\n      status\n      response\n      error\n      duration\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation TestAlertChannel($id: ID!) {\n    testAlertChannel(id: $id) {\n      ok\n      status\n      response\n      error\n      duration\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MessagePreview($input: MessagePreviewInput!) {\n    messagePreview(input: $input) {\n      subject\n      body\n      bytes\n      truncated\n      error {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  query MessagePreview($input: MessagePreviewInput!) {\n    messagePreview(input: $input) {\n      subject\n      body\n      bytes\n      truncated\n      error {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment RuleRow on AlertRule {\n    id\n    name\n    description\n    enabled\n    zone\n    severity\n    openIncidents\n    version\n    updatedAt\n    scope {\n      ...ScopeFields\n    }\n    conditions {\n      event\n      count\n      of\n      rate\n      window\n      longerThan\n      factor\n      by\n      depth\n      age\n    }\n    windows {\n      days\n      from\n      to\n      severity\n    }\n    routes {\n      severities\n      digestAt\n      channels {\n        id\n        name\n      }\n      people {\n        id\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  fragment RuleRow on AlertRule {\n    id\n    name\n    description\n    enabled\n    zone\n    severity\n    openIncidents\n    version\n    updatedAt\n    scope {\n      ...ScopeFields\n    }\n    conditions {\n      event\n      count\n      of\n      rate\n      window\n      longerThan\n      factor\n      by\n      depth\n      age\n    }\n    windows {\n      days\n      from\n      to\n      severity\n    }\n    routes {\n      severities\n      digestAt\n      channels {\n        id\n        name\n      }\n      people {\n        id\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment RuleDetail on AlertRule {\n    ...RuleRow\n    escalation {\n      after\n      channels {\n        id\n        name\n      }\n      people {\n        id\n        name\n      }\n    }\n    repeatEvery\n    maxPerHour\n    groupWait\n    groupInterval\n    notices\n    createdBy\n    createdAt\n  }\n"): (typeof documents)["\n  fragment RuleDetail on AlertRule {\n    ...RuleRow\n    escalation {\n      after\n      channels {\n        id\n        name\n      }\n      people {\n        id\n        name\n      }\n    }\n    repeatEvery\n    maxPerHour\n    groupWait\n    groupInterval\n    notices\n    createdBy\n    createdAt\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AlertRules($app: ID) {\n    alertRules(app: $app) {\n      ...RuleRow\n    }\n  }\n"): (typeof documents)["\n  query AlertRules($app: ID) {\n    alertRules(app: $app) {\n      ...RuleRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AlertRule($id: ID!) {\n    alertRule(id: $id) {\n      ...RuleDetail\n    }\n  }\n"): (typeof documents)["\n  query AlertRule($id: ID!) {\n    alertRule(id: $id) {\n      ...RuleDetail\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AlertRuleTrial($input: AlertRuleInput!, $days: Int!) {\n    alertRuleTrial(input: $input, days: $days) {\n      events\n      incidents\n      messages\n      suppressed\n      coveredFrom\n      entries {\n        at\n        channel\n        severity\n        digest\n        sent\n        title\n        problems\n      }\n      error {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  query AlertRuleTrial($input: AlertRuleInput!, $days: Int!) {\n    alertRuleTrial(input: $input, days: $days) {\n      events\n      incidents\n      messages\n      suppressed\n      coveredFrom\n      entries {\n        at\n        channel\n        severity\n        digest\n        sent\n        title\n        problems\n      }\n      error {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateAlertRule($input: AlertRuleInput!) {\n    createAlertRule(input: $input) {\n      alertRule {\n        ...RuleDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CreateAlertRule($input: AlertRuleInput!) {\n    createAlertRule(input: $input) {\n      alertRule {\n        ...RuleDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateAlertRule($id: ID!, $input: AlertRuleInput!) {\n    updateAlertRule(id: $id, input: $input) {\n      alertRule {\n        ...RuleDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateAlertRule($id: ID!, $input: AlertRuleInput!) {\n    updateAlertRule(id: $id, input: $input) {\n      alertRule {\n        ...RuleDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteAlertRule($id: ID!) {\n    deleteAlertRule(id: $id) {\n      alertRule {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation DeleteAlertRule($id: ID!) {\n    deleteAlertRule(id: $id) {\n      alertRule {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EnableAlertRule($id: ID!) {\n    enableAlertRule(id: $id) {\n      alertRule {\n        ...RuleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation EnableAlertRule($id: ID!) {\n    enableAlertRule(id: $id) {\n      alertRule {\n        ...RuleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DisableAlertRule($id: ID!) {\n    disableAlertRule(id: $id) {\n      alertRule {\n        ...RuleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation DisableAlertRule($id: ID!) {\n    disableAlertRule(id: $id) {\n      alertRule {\n        ...RuleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RuleJob($id: ID!) {\n    job(id: $id) {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  query RuleJob($id: ID!) {\n    job(id: $id) {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ScopeFields on AlertScope {\n    kind\n    labels\n    app {\n      id\n      name\n    }\n    group {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n    job {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  fragment ScopeFields on AlertScope {\n    kind\n    labels\n    app {\n      id\n      name\n    }\n    group {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n    job {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment AlertSummaryFields on AlertSummary {\n    open\n    acknowledged\n    critical\n  }\n"): (typeof documents)["\n  fragment AlertSummaryFields on AlertSummary {\n    open\n    acknowledged\n    critical\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AlertSummary {\n    alertSummary {\n      ...AlertSummaryFields\n    }\n  }\n"): (typeof documents)["\n  query AlertSummary {\n    alertSummary {\n      ...AlertSummaryFields\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription AlertSummaryChanged {\n    alertSummaryChanged {\n      ...AlertSummaryFields\n    }\n  }\n"): (typeof documents)["\n  subscription AlertSummaryChanged {\n    alertSummaryChanged {\n      ...AlertSummaryFields\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ScopeGroups {\n    nodeGroups {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n    apps {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  query ScopeGroups {\n    nodeGroups {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n    apps {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ScopeJobs($search: String) {\n    jobs(first: 30, filter: { search: $search }) {\n      nodes {\n        id\n        name\n        app {\n          id\n          name\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query ScopeJobs($search: String) {\n    jobs(first: 30, filter: { search: $search }) {\n      nodes {\n        id\n        name\n        app {\n          id\n          name\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Receivers {\n    alertChannels {\n      id\n      name\n      kind\n      enabled\n    }\n    people {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  query Receivers {\n    alertChannels {\n      id\n      name\n      kind\n      enabled\n    }\n    people {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment AppRow on App {\n    id\n    name\n    description\n    createdAt\n    jobCount\n    onlineNodeCount\n  }\n"): (typeof documents)["\n  fragment AppRow on App {\n    id\n    name\n    description\n    createdAt\n    jobCount\n    onlineNodeCount\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Apps {\n    apps {\n      ...AppRow\n      keys {\n        id\n        revokedAt\n      }\n    }\n  }\n"): (typeof documents)["\n  query Apps {\n    apps {\n      ...AppRow\n      keys {\n        id\n        revokedAt\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment KeyRow on AppKey {\n    id\n    prefix\n    createdAt\n    lastUsedAt\n    revokedAt\n  }\n"): (typeof documents)["\n  fragment KeyRow on AppKey {\n    id\n    prefix\n    createdAt\n    lastUsedAt\n    revokedAt\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AppPage($name: String!) {\n    app(name: $name) {\n      ...AppRow\n      keys {\n        ...KeyRow\n      }\n      nodeGroups {\n        id\n        name\n      }\n    }\n    installation {\n      publicUrl\n    }\n  }\n"): (typeof documents)["\n  query AppPage($name: String!) {\n    app(name: $name) {\n      ...AppRow\n      keys {\n        ...KeyRow\n      }\n      nodeGroups {\n        id\n        name\n      }\n    }\n    installation {\n      publicUrl\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InstallationAddress {\n    installation {\n      publicUrl\n    }\n  }\n"): (typeof documents)["\n  query InstallationAddress {\n    installation {\n      publicUrl\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateApp($input: CreateAppInput!) {\n    createApp(input: $input) {\n      app {\n        ...AppRow\n        keys {\n          ...KeyRow\n        }\n        nodeGroups {\n          id\n          name\n        }\n      }\n      key\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CreateApp($input: CreateAppInput!) {\n    createApp(input: $input) {\n      app {\n        ...AppRow\n        keys {\n          ...KeyRow\n        }\n        nodeGroups {\n          id\n          name\n        }\n      }\n      key\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateApp($input: UpdateAppInput!) {\n    updateApp(input: $input) {\n      app {\n        id\n        description\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateApp($input: UpdateAppInput!) {\n    updateApp(input: $input) {\n      app {\n        id\n        description\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteApp($id: ID!) {\n    deleteApp(id: $id) {\n      app {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation DeleteApp($id: ID!) {\n    deleteApp(id: $id) {\n      app {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateAppKey($app: ID!) {\n    createAppKey(app: $app) {\n      appKey {\n        ...KeyRow\n      }\n      key\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CreateAppKey($app: ID!) {\n    createAppKey(app: $app) {\n      appKey {\n        ...KeyRow\n      }\n      key\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RevokeAppKey($id: ID!) {\n    revokeAppKey(id: $id) {\n      appKey {\n        ...KeyRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation RevokeAppKey($id: ID!) {\n    revokeAppKey(id: $id) {\n      appKey {\n        ...KeyRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment AuditRow on AuditEntry {\n    id\n    at\n    actor\n    actorKind\n    action\n    kind\n    object\n    name\n    app {\n      id\n      name\n    }\n    address\n    agent\n    requestId\n    before\n    after\n    detail\n  }\n"): (typeof documents)["\n  fragment AuditRow on AuditEntry {\n    id\n    at\n    actor\n    actorKind\n    action\n    kind\n    object\n    name\n    app {\n      id\n      name\n    }\n    address\n    agent\n    requestId\n    before\n    after\n    detail\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AuditTrail($first: Int, $after: String, $filter: AuditFilter) {\n    auditTrail(first: $first, after: $after, filter: $filter) {\n      nodes {\n        ...AuditRow\n      }\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      searchedTo\n    }\n  }\n"): (typeof documents)["\n  query AuditTrail($first: Int, $after: String, $filter: AuditFilter) {\n    auditTrail(first: $first, after: $after, filter: $filter) {\n      nodes {\n        ...AuditRow\n      }\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      searchedTo\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment BackfillRow on Backfill {\n    id\n    from\n    to\n    state\n    onlyMissing\n    perMinute\n    maxRunning\n    parameters\n    total\n    created\n    present\n    succeeded\n    failed\n    cancelled\n    progress\n    nextAt\n    createdBy\n    createdAt\n    finishedAt\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n    }\n  }\n"): (typeof documents)["\n  fragment BackfillRow on Backfill {\n    id\n    from\n    to\n    state\n    onlyMissing\n    perMinute\n    maxRunning\n    parameters\n    total\n    created\n    present\n    succeeded\n    failed\n    cancelled\n    progress\n    nextAt\n    createdBy\n    createdAt\n    finishedAt\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query JobBackfills($job: ID!, $first: Int!, $after: String) {\n    backfills(job: $job, first: $first, after: $after) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...BackfillRow\n      }\n    }\n  }\n"): (typeof documents)["\n  query JobBackfills($job: ID!, $first: Int!, $after: String) {\n    backfills(job: $job, first: $first, after: $after) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...BackfillRow\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query BackfillPage($id: ID!) {\n    backfill(id: $id) {\n      ...BackfillRow\n    }\n  }\n"): (typeof documents)["\n  query BackfillPage($id: ID!) {\n    backfill(id: $id) {\n      ...BackfillRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query BackfillTasks($id: ID!, $first: Int!, $after: String) {\n    backfill(id: $id) {\n      id\n      tasks(first: $first, after: $after) {\n        pageInfo {\n          hasNextPage\n          hasPreviousPage\n          startCursor\n          endCursor\n        }\n        nodes {\n          ...TaskRow\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query BackfillTasks($id: ID!, $first: Int!, $after: String) {\n    backfill(id: $id) {\n      id\n      tasks(first: $first, after: $after) {\n        pageInfo {\n          hasNextPage\n          hasPreviousPage\n          startCursor\n          endCursor\n        }\n        nodes {\n          ...TaskRow\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query BackfillPreview($input: CreateBackfillInput!) {\n    backfillPreview(input: $input) {\n      total\n      atLeast\n      present\n      first\n      last\n      sample\n      duration\n      warnings\n      error {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  query BackfillPreview($input: CreateBackfillInput!) {\n    backfillPreview(input: $input) {\n      total\n      atLeast\n      present\n      first\n      last\n      sample\n      duration\n      warnings\n      error {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription BackfillChanged($id: ID!) {\n    backfillChanged(id: $id) {\n      ...BackfillRow\n    }\n  }\n"): (typeof documents)["\n  subscription BackfillChanged($id: ID!) {\n    backfillChanged(id: $id) {\n      ...BackfillRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateBackfill($input: CreateBackfillInput!) {\n    createBackfill(input: $input) {\n      backfill {\n        ...BackfillRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CreateBackfill($input: CreateBackfillInput!) {\n    createBackfill(input: $input) {\n      backfill {\n        ...BackfillRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PauseBackfill($id: ID!) {\n    pauseBackfill(id: $id) {\n      backfill {\n        ...BackfillRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation PauseBackfill($id: ID!) {\n    pauseBackfill(id: $id) {\n      backfill {\n        ...BackfillRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ResumeBackfill($id: ID!) {\n    resumeBackfill(id: $id) {\n      backfill {\n        ...BackfillRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation ResumeBackfill($id: ID!) {\n    resumeBackfill(id: $id) {\n      backfill {\n        ...BackfillRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CancelBackfill($id: ID!, $reason: String) {\n    cancelBackfill(id: $id, reason: $reason) {\n      backfill {\n        ...BackfillRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CancelBackfill($id: ID!, $reason: String) {\n    cancelBackfill(id: $id, reason: $reason) {\n      backfill {\n        ...BackfillRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment BulkRow on BulkOperation {\n    id\n    kind\n    state\n    total\n    done\n    refused\n    progress\n    parameters\n    patch\n    reason\n    selection\n    createdBy\n    createdAt\n    finishedAt\n  }\n"): (typeof documents)["\n  fragment BulkRow on BulkOperation {\n    id\n    kind\n    state\n    total\n    done\n    refused\n    progress\n    parameters\n    patch\n    reason\n    selection\n    createdBy\n    createdAt\n    finishedAt\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query BulkOperations($first: Int!, $after: String) {\n    bulkOperations(first: $first, after: $after) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...BulkRow\n      }\n    }\n  }\n"): (typeof documents)["\n  query BulkOperations($first: Int!, $after: String) {\n    bulkOperations(first: $first, after: $after) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...BulkRow\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query BulkOperationPage($id: ID!, $refusals: Int!) {\n    bulkOperation(id: $id) {\n      ...BulkRow\n      refusals(first: $refusals) {\n        taskId\n        message\n        task {\n          id\n          state\n          job {\n            id\n            name\n          }\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query BulkOperationPage($id: ID!, $refusals: Int!) {\n    bulkOperation(id: $id) {\n      ...BulkRow\n      refusals(first: $refusals) {\n        taskId\n        message\n        task {\n          id\n          state\n          job {\n            id\n            name\n          }\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query BulkPreview($input: CreateBulkOperationInput!) {\n    bulkPreview(input: $input) {\n      total\n      more\n      asOf\n      error {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  query BulkPreview($input: CreateBulkOperationInput!) {\n    bulkPreview(input: $input) {\n      total\n      more\n      asOf\n      error {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription BulkOperationChanged($id: ID!) {\n    bulkOperationChanged(id: $id) {\n      ...BulkRow\n    }\n  }\n"): (typeof documents)["\n  subscription BulkOperationChanged($id: ID!) {\n    bulkOperationChanged(id: $id) {\n      ...BulkRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateBulkOperation($input: CreateBulkOperationInput!) {\n    createBulkOperation(input: $input) {\n      bulkOperation {\n        ...BulkRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CreateBulkOperation($input: CreateBulkOperationInput!) {\n    createBulkOperation(input: $input) {\n      bulkOperation {\n        ...BulkRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CancelBulkOperation($id: ID!) {\n    cancelBulkOperation(id: $id) {\n      bulkOperation {\n        ...BulkRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CancelBulkOperation($id: ID!) {\n    cancelBulkOperation(id: $id) {\n      bulkOperation {\n        ...BulkRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment CalendarRow on Calendar {\n    id\n    name\n    description\n    restDays\n    quietWindows {\n      days\n      from\n      to\n      rule\n    }\n    jobCount\n    version\n    updatedAt\n    app {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  fragment CalendarRow on Calendar {\n    id\n    name\n    description\n    restDays\n    quietWindows {\n      days\n      from\n      to\n      rule\n    }\n    jobCount\n    version\n    updatedAt\n    app {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment CalendarDetail on Calendar {\n    ...CalendarRow\n    days {\n      date\n      kind\n      name\n    }\n  }\n"): (typeof documents)["\n  fragment CalendarDetail on Calendar {\n    ...CalendarRow\n    days {\n      date\n      kind\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Calendars($app: ID) {\n    calendars(app: $app) {\n      ...CalendarRow\n    }\n  }\n"): (typeof documents)["\n  query Calendars($app: ID) {\n    calendars(app: $app) {\n      ...CalendarRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Calendar($id: ID!) {\n    calendar(id: $id) {\n      ...CalendarDetail\n    }\n  }\n"): (typeof documents)["\n  query Calendar($id: ID!) {\n    calendar(id: $id) {\n      ...CalendarDetail\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CalendarJobs($id: ID!, $locale: String!) {\n    calendar(id: $id) {\n      id\n      jobs(first: 50) {\n        id\n        name\n        enabled\n        invalidReason\n        deletedAt\n        nextFireAt\n        trigger {\n          kind\n          zone\n          description(locale: $locale)\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query CalendarJobs($id: ID!, $locale: String!) {\n    calendar(id: $id) {\n      id\n      jobs(first: 50) {\n        id\n        name\n        enabled\n        invalidReason\n        deletedAt\n        nextFireAt\n        trigger {\n          kind\n          zone\n          description(locale: $locale)\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateCalendar($input: CreateCalendarInput!) {\n    createCalendar(input: $input) {\n      calendar {\n        ...CalendarDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CreateCalendar($input: CreateCalendarInput!) {\n    createCalendar(input: $input) {\n      calendar {\n        ...CalendarDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateCalendar($input: UpdateCalendarInput!) {\n    updateCalendar(input: $input) {\n      calendar {\n        ...CalendarDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateCalendar($input: UpdateCalendarInput!) {\n    updateCalendar(input: $input) {\n      calendar {\n        ...CalendarDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteCalendar($id: ID!) {\n    deleteCalendar(id: $id) {\n      calendar {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation DeleteCalendar($id: ID!) {\n    deleteCalendar(id: $id) {\n      calendar {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ImportCalendar($input: ImportCalendarInput!) {\n    importCalendar(input: $input) {\n      calendar {\n        ...CalendarDetail\n      }\n      added {\n        date\n        kind\n        name\n      }\n      removed {\n        date\n        kind\n        name\n      }\n      unchanged\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation ImportCalendar($input: ImportCalendarInput!) {\n    importCalendar(input: $input) {\n      calendar {\n        ...CalendarDetail\n      }\n      added {\n        date\n        kind\n        name\n      }\n      removed {\n        date\n        kind\n        name\n      }\n      unchanged\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment DeliveryRow on Notification {\n    id\n    kind\n    severity\n    state\n    reason\n    problems\n    subject\n    createdAt\n    sentAt\n    nextAt\n    channel {\n      id\n      name\n      kind\n    }\n    rule {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  fragment DeliveryRow on Notification {\n    id\n    kind\n    severity\n    state\n    reason\n    problems\n    subject\n    createdAt\n    sentAt\n    nextAt\n    channel {\n      id\n      name\n      kind\n    }\n    rule {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment DeliveryDetail on Notification {\n    ...DeliveryRow\n    body\n    incidents {\n      id\n      title\n      state\n    }\n    tries {\n      number\n      at\n      duration\n      status\n      response\n      error\n      nextAt\n    }\n  }\n"): (typeof documents)["\n  fragment DeliveryDetail on Notification {\n    ...DeliveryRow\n    body\n    incidents {\n      id\n      title\n      state\n    }\n    tries {\n      number\n      at\n      duration\n      status\n      response\n      error\n      nextAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Deliveries($first: Int!, $after: String, $filter: NotificationFilter) {\n    notifications(first: $first, after: $after, filter: $filter) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...DeliveryRow\n      }\n    }\n  }\n"): (typeof documents)["\n  query Deliveries($first: Int!, $after: String, $filter: NotificationFilter) {\n    notifications(first: $first, after: $after, filter: $filter) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...DeliveryRow\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription DeliveryListChanged($filter: NotificationFilter) {\n    notificationChanged(filter: $filter) {\n      ...DeliveryRow\n    }\n  }\n"): (typeof documents)["\n  subscription DeliveryListChanged($filter: NotificationFilter) {\n    notificationChanged(filter: $filter) {\n      ...DeliveryRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Delivery($id: ID!) {\n    notification(id: $id) {\n      ...DeliveryDetail\n    }\n  }\n"): (typeof documents)["\n  query Delivery($id: ID!) {\n    notification(id: $id) {\n      ...DeliveryDetail\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ReplayNotification($id: ID!) {\n    replayNotification(id: $id) {\n      notification {\n        ...DeliveryDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation ReplayNotification($id: ID!) {\n    replayNotification(id: $id) {\n      notification {\n        ...DeliveryDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DeliveryNames {\n    alertChannels {\n      id\n      name\n    }\n    alertRules {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  query DeliveryNames {\n    alertChannels {\n      id\n      name\n    }\n    alertRules {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FilteredIncident($id: ID!) {\n    incident(id: $id) {\n      id\n      title\n    }\n  }\n"): (typeof documents)["\n  query FilteredIncident($id: ID!) {\n    incident(id: $id) {\n      id\n      title\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment IncidentRow on Incident {\n    id\n    title\n    event\n    severity\n    state\n    flapping\n    openedAt\n    lastAt\n    count\n    acknowledgedAt\n    acknowledgedBy\n    resolvedAt\n    resolution\n    downtime\n    lastError\n    server\n    rule {\n      id\n      name\n    }\n    silencedBy {\n      id\n      reason\n      activeUntil\n    }\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n      app {\n        id\n        name\n      }\n    }\n    group {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n    node {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  fragment IncidentRow on Incident {\n    id\n    title\n    event\n    severity\n    state\n    flapping\n    openedAt\n    lastAt\n    count\n    acknowledgedAt\n    acknowledgedBy\n    resolvedAt\n    resolution\n    downtime\n    lastError\n    server\n    rule {\n      id\n      name\n    }\n    silencedBy {\n      id\n      reason\n      activeUntil\n    }\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n      app {\n        id\n        name\n      }\n    }\n    group {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n    node {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment IncidentDetail on Incident {\n    ...IncidentRow\n    lastTask {\n      id\n      state\n      scheduledAt\n      maxAttempts\n      attempts {\n        id\n        number\n        state\n        nodeName\n        startedAt\n        finishedAt\n        error\n      }\n    }\n    notifications {\n      id\n      kind\n      state\n      severity\n      reason\n      createdAt\n      sentAt\n      nextAt\n      channel {\n        id\n        name\n        kind\n      }\n    }\n  }\n"): (typeof documents)["\n  fragment IncidentDetail on Incident {\n    ...IncidentRow\n    lastTask {\n      id\n      state\n      scheduledAt\n      maxAttempts\n      attempts {\n        id\n        number\n        state\n        nodeName\n        startedAt\n        finishedAt\n        error\n      }\n    }\n    notifications {\n      id\n      kind\n      state\n      severity\n      reason\n      createdAt\n      sentAt\n      nextAt\n      channel {\n        id\n        name\n        kind\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment EntryRow on IncidentEntry {\n    id\n    at\n    kind\n    message\n    attempt\n    node\n    actor\n    task {\n      id\n    }\n  }\n"): (typeof documents)["\n  fragment EntryRow on IncidentEntry {\n    id\n    at\n    kind\n    message\n    attempt\n    node\n    actor\n    task {\n      id\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Incidents($first: Int!, $after: String, $filter: IncidentFilter) {\n    incidents(first: $first, after: $after, filter: $filter) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...IncidentRow\n      }\n    }\n  }\n"): (typeof documents)["\n  query Incidents($first: Int!, $after: String, $filter: IncidentFilter) {\n    incidents(first: $first, after: $after, filter: $filter) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...IncidentRow\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription IncidentListChanged($filter: IncidentFilter) {\n    incidentChanged(filter: $filter) {\n      ...IncidentRow\n    }\n  }\n"): (typeof documents)["\n  subscription IncidentListChanged($filter: IncidentFilter) {\n    incidentChanged(filter: $filter) {\n      ...IncidentRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Incident($id: ID!) {\n    incident(id: $id) {\n      ...IncidentDetail\n    }\n  }\n"): (typeof documents)["\n  query Incident($id: ID!) {\n    incident(id: $id) {\n      ...IncidentDetail\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query IncidentTimeline($id: ID!, $first: Int!, $after: String) {\n    incident(id: $id) {\n      id\n      timeline(first: $first, after: $after) {\n        pageInfo {\n          hasNextPage\n          hasPreviousPage\n          startCursor\n          endCursor\n        }\n        nodes {\n          ...EntryRow\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query IncidentTimeline($id: ID!, $first: Int!, $after: String) {\n    incident(id: $id) {\n      id\n      timeline(first: $first, after: $after) {\n        pageInfo {\n          hasNextPage\n          hasPreviousPage\n          startCursor\n          endCursor\n        }\n        nodes {\n          ...EntryRow\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription IncidentTouched($filter: IncidentFilter) {\n    incidentChanged(filter: $filter) {\n      ...IncidentRow\n    }\n  }\n"): (typeof documents)["\n  subscription IncidentTouched($filter: IncidentFilter) {\n    incidentChanged(filter: $filter) {\n      ...IncidentRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AcknowledgeIncident($id: ID!, $comment: String) {\n    acknowledgeIncident(id: $id, comment: $comment) {\n      incident {\n        ...IncidentRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation AcknowledgeIncident($id: ID!, $comment: String) {\n    acknowledgeIncident(id: $id, comment: $comment) {\n      incident {\n        ...IncidentRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UnacknowledgeIncident($id: ID!) {\n    unacknowledgeIncident(id: $id) {\n      incident {\n        ...IncidentRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation UnacknowledgeIncident($id: ID!) {\n    unacknowledgeIncident(id: $id) {\n      incident {\n        ...IncidentRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ResolveIncident($id: ID!, $comment: String) {\n    resolveIncident(id: $id, comment: $comment) {\n      incident {\n        ...IncidentRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation ResolveIncident($id: ID!, $comment: String) {\n    resolveIncident(id: $id, comment: $comment) {\n      incident {\n        ...IncidentRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CommentIncident($id: ID!, $comment: String!) {\n    commentIncident(id: $id, comment: $comment) {\n      incident {\n        ...IncidentRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CommentIncident($id: ID!, $comment: String!) {\n    commentIncident(id: $id, comment: $comment) {\n      incident {\n        ...IncidentRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RuleNames {\n    alertRules {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  query RuleNames {\n    alertRules {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment EditableJob on Job {\n    id\n    name\n    handler\n    description\n    labels\n    parameters\n    enabled\n    version\n    priority\n    timeout\n    concurrency\n    maxRunning\n    delivery\n    routing {\n      ...RoutingFields\n    }\n    app {\n      id\n      name\n    }\n    group {\n      id\n      name\n    }\n    trigger {\n      kind\n      expression\n      zone\n      startAt\n      endAt\n      jitter\n      every\n      delay\n      calendar {\n        id\n        name\n      }\n      onRestDay\n      upstream {\n        on\n        job {\n          id\n          name\n          app {\n            id\n            name\n          }\n        }\n      }\n      mode\n      window\n    }\n    retry {\n      maxAttempts\n      backoff\n      delay\n      maxDelay\n      jitter\n    }\n    misfire {\n      policy\n      grace\n      limit\n    }\n  }\n"): (typeof documents)["\n  fragment EditableJob on Job {\n    id\n    name\n    handler\n    description\n    labels\n    parameters\n    enabled\n    version\n    priority\n    timeout\n    concurrency\n    maxRunning\n    delivery\n    routing {\n      ...RoutingFields\n    }\n    app {\n      id\n      name\n    }\n    group {\n      id\n      name\n    }\n    trigger {\n      kind\n      expression\n      zone\n      startAt\n      endAt\n      jitter\n      every\n      delay\n      calendar {\n        id\n        name\n      }\n      onRestDay\n      upstream {\n        on\n        job {\n          id\n          name\n          app {\n            id\n            name\n          }\n        }\n      }\n      mode\n      window\n    }\n    retry {\n      maxAttempts\n      backoff\n      delay\n      maxDelay\n      jitter\n    }\n    misfire {\n      policy\n      grace\n      limit\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EditableJob($id: ID!) {\n    job(id: $id) {\n      ...EditableJob\n    }\n  }\n"): (typeof documents)["\n  query EditableJob($id: ID!) {\n    job(id: $id) {\n      ...EditableJob\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query GroupOptions {\n    nodeGroups {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  query GroupOptions {\n    nodeGroups {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query GroupHandlers($id: ID!) {\n    nodeGroup(id: $id) {\n      id\n      nodes {\n        id\n        name\n        state\n        labels\n        handlers\n      }\n    }\n  }\n"): (typeof documents)["\n  query GroupHandlers($id: ID!) {\n    nodeGroup(id: $id) {\n      id\n      nodes {\n        id\n        name\n        state\n        labels\n        handlers\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CalendarOptions($app: ID!) {\n    calendars(app: $app) {\n      id\n      name\n      restDays\n    }\n  }\n"): (typeof documents)["\n  query CalendarOptions($app: ID!) {\n    calendars(app: $app) {\n      id\n      name\n      restDays\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query UpstreamOptions($search: String) {\n    jobs(first: 20, filter: { search: $search }) {\n      nodes {\n        id\n        name\n        app {\n          id\n          name\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query UpstreamOptions($search: String) {\n    jobs(first: 20, filter: { search: $search }) {\n      nodes {\n        id\n        name\n        app {\n          id\n          name\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment Neighbour on Job {\n    id\n    name\n    app {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  fragment Neighbour on Job {\n    id\n    name\n    app {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query UpstreamNeighbours($id: ID!) {\n    job(id: $id) {\n      ...Neighbour\n      trigger {\n        upstream {\n          on\n          job {\n            ...Neighbour\n          }\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query UpstreamNeighbours($id: ID!) {\n    job(id: $id) {\n      ...Neighbour\n      trigger {\n        upstream {\n          on\n          job {\n            ...Neighbour\n          }\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DownstreamNeighbours($id: ID!) {\n    job(id: $id) {\n      ...Neighbour\n      downstream(first: 12) {\n        ...Neighbour\n        downstream(first: 6) {\n          ...Neighbour\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query DownstreamNeighbours($id: ID!) {\n    job(id: $id) {\n      ...Neighbour\n      downstream(first: 12) {\n        ...Neighbour\n        downstream(first: 6) {\n          ...Neighbour\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SchedulePreview($input: SchedulePreviewInput!) {\n    schedulePreview(input: $input) {\n      fires\n      description\n      dialect\n      warnings\n      clockChanges {\n        at\n        offsetBefore\n        offsetAfter\n      }\n      restDays {\n        date\n        kind\n        name\n      }\n      excluded {\n        at\n        reason\n        message\n        movedTo\n      }\n      error {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  query SchedulePreview($input: SchedulePreviewInput!) {\n    schedulePreview(input: $input) {\n      fires\n      description\n      dialect\n      warnings\n      clockChanges {\n        at\n        offsetBefore\n        offsetAfter\n      }\n      restDays {\n        date\n        kind\n        name\n      }\n      excluded {\n        at\n        reason\n        message\n        movedTo\n      }\n      error {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateJob($input: CreateJobInput!) {\n    createJob(input: $input) {\n      job {\n        id\n        name\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CreateJob($input: CreateJobInput!) {\n    createJob(input: $input) {\n      job {\n        id\n        name\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateJob($input: UpdateJobInput!) {\n    updateJob(input: $input) {\n      job {\n        ...EditableJob\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateJob($input: UpdateJobInput!) {\n    updateJob(input: $input) {\n      job {\n        ...EditableJob\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query JobJoins($id: ID!) {\n    job(id: $id) {\n      id\n      joins(first: 20) {\n        window\n        openedAt\n        firedAt\n        reason\n        arrived {\n          at\n          condition\n          job {\n            id\n            name\n          }\n          task {\n            id\n            state\n          }\n        }\n        missing {\n          id\n          name\n        }\n        task {\n          id\n          state\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query JobJoins($id: ID!) {\n    job(id: $id) {\n      id\n      joins(first: 20) {\n        window\n        openedAt\n        firedAt\n        reason\n        arrived {\n          at\n          condition\n          job {\n            id\n            name\n          }\n          task {\n            id\n            state\n          }\n        }\n        missing {\n          id\n          name\n        }\n        task {\n          id\n          state\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment JobDetail on Job {\n    id\n    name\n    handler\n    description\n    labels\n    parameters\n    enabled\n    invalidReason\n    warnings\n    deletedAt\n    version\n    createdAt\n    updatedAt\n    priority\n    timeout\n    concurrency\n    maxRunning\n    delivery\n    routing {\n      ...RoutingFields\n    }\n    nextFireAt\n    lastFireAt\n    app {\n      id\n      name\n    }\n    group {\n      id\n      name\n    }\n    trigger {\n      kind\n      description(locale: $locale)\n      expression\n      dialect\n      resolved\n      zone\n      startAt\n      endAt\n      jitter\n      every\n      delay\n      mode\n      window\n      upstream {\n        on\n        job {\n          id\n          name\n        }\n      }\n    }\n    downstream(first: 50) {\n      id\n      name\n    }\n    retry {\n      maxAttempts\n      backoff\n      delay\n      maxDelay\n      jitter\n    }\n    misfire {\n      policy\n      grace\n      limit\n    }\n    stats {\n      succeeded\n      failed\n      cancelled\n      skipped\n      retried\n      missed\n      excluded\n      late\n      meanDuration\n      meanDelay\n    }\n    nextFires(count: 8)\n    skippedFires(first: 20) {\n      firstAt\n      lastAt\n      count\n      reason\n      message\n      recordedAt\n    }\n  }\n"): (typeof documents)["\n  fragment JobDetail on Job {\n    id\n    name\n    handler\n    description\n    labels\n    parameters\n    enabled\n    invalidReason\n    warnings\n    deletedAt\n    version\n    createdAt\n    updatedAt\n    priority\n    timeout\n    concurrency\n    maxRunning\n    delivery\n    routing {\n      ...RoutingFields\n    }\n    nextFireAt\n    lastFireAt\n    app {\n      id\n      name\n    }\n    group {\n      id\n      name\n    }\n    trigger {\n      kind\n      description(locale: $locale)\n      expression\n      dialect\n      resolved\n      zone\n      startAt\n      endAt\n      jitter\n      every\n      delay\n      mode\n      window\n      upstream {\n        on\n        job {\n          id\n          name\n        }\n      }\n    }\n    downstream(first: 50) {\n      id\n      name\n    }\n    retry {\n      maxAttempts\n      backoff\n      delay\n      maxDelay\n      jitter\n    }\n    misfire {\n      policy\n      grace\n      limit\n    }\n    stats {\n      succeeded\n      failed\n      cancelled\n      skipped\n      retried\n      missed\n      excluded\n      late\n      meanDuration\n      meanDelay\n    }\n    nextFires(count: 8)\n    skippedFires(first: 20) {\n      firstAt\n      lastAt\n      count\n      reason\n      message\n      recordedAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment RunRow on Task {\n    id\n    state\n    trigger\n    scheduledAt\n    startedAt\n    finishedAt\n    duration\n    attempt\n    maxAttempts\n    error\n    reason\n    node {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  fragment RunRow on Task {\n    id\n    state\n    trigger\n    scheduledAt\n    startedAt\n    finishedAt\n    duration\n    attempt\n    maxAttempts\n    error\n    reason\n    node {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Job($id: ID!, $locale: String!) {\n    job(id: $id) {\n      ...JobDetail\n    }\n  }\n"): (typeof documents)["\n  query Job($id: ID!, $locale: String!) {\n    job(id: $id) {\n      ...JobDetail\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query JobRuns($id: ID!) {\n    job(id: $id) {\n      id\n      recentTasks(first: 20) {\n        ...RunRow\n      }\n    }\n  }\n"): (typeof documents)["\n  query JobRuns($id: ID!) {\n    job(id: $id) {\n      id\n      recentTasks(first: 20) {\n        ...RunRow\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription JobRunChanged($job: ID!) {\n    taskChanged(filter: { job: $job }) {\n      ...RunRow\n    }\n  }\n"): (typeof documents)["\n  subscription JobRunChanged($job: ID!) {\n    taskChanged(filter: { job: $job }) {\n      ...RunRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription JobDetailChanged($filter: JobFilter) {\n    jobChanged(filter: $filter) {\n      id\n      enabled\n      nextFireAt\n      lastFireAt\n      version\n      deletedAt\n    }\n  }\n"): (typeof documents)["\n  subscription JobDetailChanged($filter: JobFilter) {\n    jobChanged(filter: $filter) {\n      id\n      enabled\n      nextFireAt\n      lastFireAt\n      version\n      deletedAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteJob($id: ID!) {\n    deleteJob(id: $id) {\n      job {\n        id\n        deletedAt\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation DeleteJob($id: ID!) {\n    deleteJob(id: $id) {\n      job {\n        id\n        deletedAt\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment RevisionRow on JobRevision {\n    number\n    at\n    author\n    authorKind\n    action\n    changes {\n      field\n    }\n  }\n"): (typeof documents)["\n  fragment RevisionRow on JobRevision {\n    number\n    at\n    author\n    authorKind\n    action\n    changes {\n      field\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query JobRevisions($id: ID!, $first: Int!) {\n    job(id: $id) {\n      id\n      name\n      version\n      deletedAt\n      app {\n        id\n        name\n      }\n      trigger {\n        kind\n        zone\n      }\n      revisions(first: $first) {\n        nodes {\n          ...RevisionRow\n        }\n        pageInfo {\n          hasNextPage\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query JobRevisions($id: ID!, $first: Int!) {\n    job(id: $id) {\n      id\n      name\n      version\n      deletedAt\n      app {\n        id\n        name\n      }\n      trigger {\n        kind\n        zone\n      }\n      revisions(first: $first) {\n        nodes {\n          ...RevisionRow\n        }\n        pageInfo {\n          hasNextPage\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RevisionPair($id: ID!, $before: Int!, $after: Int!) {\n    job(id: $id) {\n      id\n      version\n      before: revision(number: $before) {\n        number\n        snapshot\n      }\n      after: revision(number: $after) {\n        number\n        snapshot\n        rollBackChanges {\n          ...FieldChange\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query RevisionPair($id: ID!, $before: Int!, $after: Int!) {\n    job(id: $id) {\n      id\n      version\n      before: revision(number: $before) {\n        number\n        snapshot\n      }\n      after: revision(number: $after) {\n        number\n        snapshot\n        rollBackChanges {\n          ...FieldChange\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment FieldChange on JobFieldChange {\n    field\n    before\n    after\n  }\n"): (typeof documents)["\n  fragment FieldChange on JobFieldChange {\n    field\n    before\n    after\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RollBackJob($id: ID!, $revision: Int!, $version: Int!) {\n    rollBackJob(id: $id, revision: $revision, version: $version) {\n      job {\n        id\n        version\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation RollBackJob($id: ID!, $revision: Int!, $version: Int!) {\n    rollBackJob(id: $id, revision: $revision, version: $version) {\n      job {\n        id\n        version\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RevisionGroup($id: ID!) {\n    nodeGroup(id: $id) {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  query RevisionGroup($id: ID!) {\n    nodeGroup(id: $id) {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RevisionCalendar($id: ID!) {\n    calendar(id: $id) {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  query RevisionCalendar($id: ID!) {\n    calendar(id: $id) {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RevisionJob($id: ID!) {\n    job(id: $id) {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  query RevisionJob($id: ID!) {\n    job(id: $id) {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WhyNotRun($job: ID!, $at: Time!, $locale: String!) {\n    whyNotRun(job: $job, at: $at, locale: $locale) {\n      code\n      answer\n      evidence {\n        at\n        message\n      }\n      task {\n        id\n        state\n      }\n      previousFire\n      nextFire\n    }\n  }\n"): (typeof documents)["\n  query WhyNotRun($job: ID!, $at: Time!, $locale: String!) {\n    whyNotRun(job: $job, at: $at, locale: $locale) {\n      code\n      answer\n      evidence {\n        at\n        message\n      }\n      task {\n        id\n        state\n      }\n      previousFire\n      nextFire\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment JobRow on Job {\n    id\n    name\n    handler\n    enabled\n    invalidReason\n    deletedAt\n    warnings\n    nextFireAt\n    lastFireAt\n    app {\n      id\n      name\n    }\n    group {\n      id\n      name\n    }\n    trigger {\n      kind\n      zone\n      description(locale: $locale)\n    }\n    stats {\n      succeeded\n      failed\n      cancelled\n      skipped\n    }\n  }\n"): (typeof documents)["\n  fragment JobRow on Job {\n    id\n    name\n    handler\n    enabled\n    invalidReason\n    deletedAt\n    warnings\n    nextFireAt\n    lastFireAt\n    app {\n      id\n      name\n    }\n    group {\n      id\n      name\n    }\n    trigger {\n      kind\n      zone\n      description(locale: $locale)\n    }\n    stats {\n      succeeded\n      failed\n      cancelled\n      skipped\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Jobs($first: Int!, $after: String, $filter: JobFilter, $orderBy: JobOrder, $locale: String!) {\n    jobs(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...JobRow\n      }\n    }\n  }\n"): (typeof documents)["\n  query Jobs($first: Int!, $after: String, $filter: JobFilter, $orderBy: JobOrder, $locale: String!) {\n    jobs(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...JobRow\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription JobChanged($filter: JobFilter, $locale: String!) {\n    jobChanged(filter: $filter) {\n      ...JobRow\n    }\n  }\n"): (typeof documents)["\n  subscription JobChanged($filter: JobFilter, $locale: String!) {\n    jobChanged(filter: $filter) {\n      ...JobRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AppNames {\n    apps {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  query AppNames {\n    apps {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PauseJob($id: ID!) {\n    pauseJob(id: $id) {\n      job {\n        id\n        name\n        enabled\n        nextFireAt\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation PauseJob($id: ID!) {\n    pauseJob(id: $id) {\n      job {\n        id\n        name\n        enabled\n        nextFireAt\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ResumeJob($id: ID!) {\n    resumeJob(id: $id) {\n      job {\n        id\n        name\n        enabled\n        nextFireAt\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation ResumeJob($id: ID!) {\n    resumeJob(id: $id) {\n      job {\n        id\n        name\n        enabled\n        nextFireAt\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation TriggerJob($input: TriggerJobInput!) {\n    triggerJob(input: $input) {\n      task {\n        id\n        state\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation TriggerJob($input: TriggerJobInput!) {\n    triggerJob(input: $input) {\n      task {\n        id\n        state\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query JobParameters($id: ID!) {\n    job(id: $id) {\n      id\n      parameters\n      priority\n      downstream(first: 1) {\n        id\n      }\n    }\n  }\n"): (typeof documents)["\n  query JobParameters($id: ID!) {\n    job(id: $id) {\n      id\n      parameters\n      priority\n      downstream(first: 1) {\n        id\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment NodeRow on Node {\n    id\n    name\n    state\n    slots\n    running\n    lastSeenAt\n    incarnation\n    startedAt\n    labels\n    handlers\n    sdk\n    host\n    stuck\n    lingering\n    group {\n      id\n    }\n  }\n"): (typeof documents)["\n  fragment NodeRow on Node {\n    id\n    name\n    state\n    slots\n    running\n    lastSeenAt\n    incarnation\n    startedAt\n    labels\n    handlers\n    sdk\n    host\n    stuck\n    lingering\n    group {\n      id\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query NodeSlots($id: ID!) {\n    node(id: $id) {\n      id\n      stuckAttempts {\n        task {\n          id\n          job {\n            id\n            name\n          }\n        }\n        attempt\n        handler\n        since\n        cause\n        stack\n      }\n      handlerSlots {\n        handlers\n        slots\n        running\n      }\n    }\n  }\n"): (typeof documents)["\n  query NodeSlots($id: ID!) {\n    node(id: $id) {\n      id\n      stuckAttempts {\n        task {\n          id\n          job {\n            id\n            name\n          }\n        }\n        attempt\n        handler\n        since\n        cause\n        stack\n      }\n      handlerSlots {\n        handlers\n        slots\n        running\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment GroupCard on NodeGroup {\n    id\n    name\n    app {\n      id\n      name\n    }\n    maxRunning\n    releaseRate\n    releaseBurst\n    routingRule {\n      ...RoutingFields\n    }\n    heartbeatInterval\n    heartbeatMisses\n    takeoverAfter\n    jobCount\n    warnings\n    waiting\n    running\n    slots\n    due\n    oldestDueAt\n    drainsIn\n    drainsNote\n    releasedLastSecond\n    limitedBy\n  }\n"): (typeof documents)["\n  fragment GroupCard on NodeGroup {\n    id\n    name\n    app {\n      id\n      name\n    }\n    maxRunning\n    releaseRate\n    releaseBurst\n    routingRule {\n      ...RoutingFields\n    }\n    heartbeatInterval\n    heartbeatMisses\n    takeoverAfter\n    jobCount\n    warnings\n    waiting\n    running\n    slots\n    due\n    oldestDueAt\n    drainsIn\n    drainsNote\n    releasedLastSecond\n    limitedBy\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Nodes {\n    nodes {\n      ...NodeRow\n    }\n  }\n"): (typeof documents)["\n  query Nodes {\n    nodes {\n      ...NodeRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query NodeGroups($app: ID) {\n    nodeGroups(app: $app) {\n      ...GroupCard\n    }\n  }\n"): (typeof documents)["\n  query NodeGroups($app: ID) {\n    nodeGroups(app: $app) {\n      ...GroupCard\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription NodeChanged {\n    nodeChanged {\n      ...NodeRow\n    }\n  }\n"): (typeof documents)["\n  subscription NodeChanged {\n    nodeChanged {\n      ...NodeRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription NodeGroupChanged($app: ID) {\n    nodeGroupChanged(app: $app) {\n      ...GroupCard\n    }\n  }\n"): (typeof documents)["\n  subscription NodeGroupChanged($app: ID) {\n    nodeGroupChanged(app: $app) {\n      ...GroupCard\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateNodeGroup($input: CreateNodeGroupInput!) {\n    createNodeGroup(input: $input) {\n      nodeGroup {\n        ...GroupCard\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CreateNodeGroup($input: CreateNodeGroupInput!) {\n    createNodeGroup(input: $input) {\n      nodeGroup {\n        ...GroupCard\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateNodeGroup($input: UpdateNodeGroupInput!) {\n    updateNodeGroup(input: $input) {\n      nodeGroup {\n        ...GroupCard\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateNodeGroup($input: UpdateNodeGroupInput!) {\n    updateNodeGroup(input: $input) {\n      nodeGroup {\n        ...GroupCard\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteNodeGroup($id: ID!) {\n    deleteNodeGroup(id: $id) {\n      nodeGroup {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation DeleteNodeGroup($id: ID!) {\n    deleteNodeGroup(id: $id) {\n      nodeGroup {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DrainNode($id: ID!) {\n    drainNode(id: $id) {\n      node {\n        ...NodeRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation DrainNode($id: ID!) {\n    drainNode(id: $id) {\n      node {\n        ...NodeRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ResumeNode($id: ID!) {\n    resumeNode(id: $id) {\n      node {\n        ...NodeRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation ResumeNode($id: ID!) {\n    resumeNode(id: $id) {\n      node {\n        ...NodeRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveNode($id: ID!) {\n    removeNode(id: $id) {\n      node {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation RemoveNode($id: ID!) {\n    removeNode(id: $id) {\n      node {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment OverviewFields on Overview {\n    at\n    waiting\n    running\n    retrying\n    failedQueue\n    slots\n    jobs\n    nodes {\n      online\n      suspect\n      offline\n      draining\n    }\n    minutes {\n      at\n      succeeded\n      failed\n      retried\n      cancelled\n      skipped\n    }\n    recentFailures {\n      id\n      state\n      scheduledAt\n      finishedAt\n      error\n      reason\n      attempt\n      job {\n        id\n        name\n        trigger {\n          zone\n        }\n      }\n    }\n    upcoming {\n      at\n      job {\n        id\n        name\n        trigger {\n          zone\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  fragment OverviewFields on Overview {\n    at\n    waiting\n    running\n    retrying\n    failedQueue\n    slots\n    jobs\n    nodes {\n      online\n      suspect\n      offline\n      draining\n    }\n    minutes {\n      at\n      succeeded\n      failed\n      retried\n      cancelled\n      skipped\n    }\n    recentFailures {\n      id\n      state\n      scheduledAt\n      finishedAt\n      error\n      reason\n      attempt\n      job {\n        id\n        name\n        trigger {\n          zone\n        }\n      }\n    }\n    upcoming {\n      at\n      job {\n        id\n        name\n        trigger {\n          zone\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Overview {\n    overview {\n      ...OverviewFields\n    }\n  }\n"): (typeof documents)["\n  query Overview {\n    overview {\n      ...OverviewFields\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription OverviewChanged {\n    overviewChanged {\n      ...OverviewFields\n    }\n  }\n"): (typeof documents)["\n  subscription OverviewChanged {\n    overviewChanged {\n      ...OverviewFields\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FirstSteps {\n    apps {\n      id\n      name\n      jobCount\n      onlineNodeCount\n    }\n    installation {\n      publicUrl\n    }\n  }\n"): (typeof documents)["\n  query FirstSteps {\n    apps {\n      id\n      name\n      jobCount\n      onlineNodeCount\n    }\n    installation {\n      publicUrl\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment FigureFields on ReportFigures {\n    ran\n    succeeded\n    failed\n    recovered\n    takenOver\n    late\n    missed\n    running\n    slower\n  }\n"): (typeof documents)["\n  fragment FigureFields on ReportFigures {\n    ran\n    succeeded\n    failed\n    recovered\n    takenOver\n    late\n    missed\n    running\n    slower\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ReportLineFields on ReportLine {\n    at\n    count\n    error\n    duration\n    usual\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n      app {\n        id\n        name\n      }\n    }\n    task {\n      id\n    }\n  }\n"): (typeof documents)["\n  fragment ReportLineFields on ReportLine {\n    at\n    count\n    error\n    duration\n    usual\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n      app {\n        id\n        name\n      }\n    }\n    task {\n      id\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MorningReport($app: ID, $day: Date, $at: String, $zone: String) {\n    morningReport(app: $app, day: $day, at: $at, zone: $zone) {\n      from\n      to\n      failedJobs\n      missedJobs\n      figures {\n        ...FigureFields\n      }\n      week {\n        ...FigureFields\n      }\n      failures {\n        ...ReportLineFields\n      }\n      missed {\n        ...ReportLineFields\n      }\n      slow {\n        ...ReportLineFields\n      }\n      running {\n        ...ReportLineFields\n      }\n    }\n  }\n"): (typeof documents)["\n  query MorningReport($app: ID, $day: Date, $at: String, $zone: String) {\n    morningReport(app: $app, day: $day, at: $at, zone: $zone) {\n      from\n      to\n      failedJobs\n      missedJobs\n      figures {\n        ...FigureFields\n      }\n      week {\n        ...FigureFields\n      }\n      failures {\n        ...ReportLineFields\n      }\n      missed {\n        ...ReportLineFields\n      }\n      slow {\n        ...ReportLineFields\n      }\n      running {\n        ...ReportLineFields\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ScheduleRow on ReportSchedule {\n    id\n    name\n    zone\n    at\n    days\n    enabled\n    lastSentAt\n    nextAt\n    version\n    app {\n      id\n      name\n    }\n    channels {\n      id\n      name\n    }\n    people {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  fragment ScheduleRow on ReportSchedule {\n    id\n    name\n    zone\n    at\n    days\n    enabled\n    lastSentAt\n    nextAt\n    version\n    app {\n      id\n      name\n    }\n    channels {\n      id\n      name\n    }\n    people {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ReportSchedules {\n    reportSchedules {\n      ...ScheduleRow\n    }\n  }\n"): (typeof documents)["\n  query ReportSchedules {\n    reportSchedules {\n      ...ScheduleRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateReportSchedule($input: ReportScheduleInput!) {\n    createReportSchedule(input: $input) {\n      schedule {\n        ...ScheduleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CreateReportSchedule($input: ReportScheduleInput!) {\n    createReportSchedule(input: $input) {\n      schedule {\n        ...ScheduleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateReportSchedule($id: ID!, $input: ReportScheduleInput!) {\n    updateReportSchedule(id: $id, input: $input) {\n      schedule {\n        ...ScheduleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateReportSchedule($id: ID!, $input: ReportScheduleInput!) {\n    updateReportSchedule(id: $id, input: $input) {\n      schedule {\n        ...ScheduleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteReportSchedule($id: ID!) {\n    deleteReportSchedule(id: $id) {\n      schedule {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation DeleteReportSchedule($id: ID!) {\n    deleteReportSchedule(id: $id) {\n      schedule {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SendReportNow($id: ID!) {\n    sendReportNow(id: $id) {\n      schedule {\n        ...ScheduleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation SendReportNow($id: ID!) {\n    sendReportNow(id: $id) {\n      schedule {\n        ...ScheduleRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment RoutingFields on Routing {\n    strategy\n    key\n    node\n    fallback\n    fallbackAfter\n    labels\n  }\n"): (typeof documents)["\n  fragment RoutingFields on Routing {\n    strategy\n    key\n    node\n    fallback\n    fallbackAfter\n    labels\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SecurityFindings {\n    securityFindings {\n      code\n      severity\n      subjects\n      count\n    }\n  }\n"): (typeof documents)["\n  query SecurityFindings {\n    securityFindings {\n      code\n      severity\n      subjects\n      count\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ServerRow on Server {\n    id\n    name\n    version\n    state\n    startedAt\n    lastSeenAt\n    partitions\n    groups\n    lag\n    clockOffset\n    locks\n    degraded\n    self\n  }\n"): (typeof documents)["\n  fragment ServerRow on Server {\n    id\n    name\n    version\n    state\n    startedAt\n    lastSeenAt\n    partitions\n    groups\n    lag\n    clockOffset\n    locks\n    degraded\n    self\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Servers {\n    servers {\n      ...ServerRow\n    }\n  }\n"): (typeof documents)["\n  query Servers {\n    servers {\n      ...ServerRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription ServerChanged {\n    serverChanged {\n      ...ServerRow\n    }\n  }\n"): (typeof documents)["\n  subscription ServerChanged {\n    serverChanged {\n      ...ServerRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SilenceRow on Silence {\n    id\n    kind\n    reason\n    author\n    startsAt\n    endsAt\n    remindBefore\n    active\n    activeUntil\n    suppressed\n    createdAt\n    scope {\n      ...ScopeFields\n    }\n    rule {\n      id\n      name\n    }\n    recurrence {\n      days\n      from\n      to\n      zone\n    }\n  }\n"): (typeof documents)["\n  fragment SilenceRow on Silence {\n    id\n    kind\n    reason\n    author\n    startsAt\n    endsAt\n    remindBefore\n    active\n    activeUntil\n    suppressed\n    createdAt\n    scope {\n      ...ScopeFields\n    }\n    rule {\n      id\n      name\n    }\n    recurrence {\n      days\n      from\n      to\n      zone\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Silences {\n    silences {\n      ...SilenceRow\n    }\n  }\n"): (typeof documents)["\n  query Silences {\n    silences {\n      ...SilenceRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateSilence($input: SilenceInput!) {\n    createSilence(input: $input) {\n      silence {\n        ...SilenceRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CreateSilence($input: SilenceInput!) {\n    createSilence(input: $input) {\n      silence {\n        ...SilenceRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EndSilence($id: ID!) {\n    endSilence(id: $id) {\n      silence {\n        ...SilenceRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation EndSilence($id: ID!) {\n    endSilence(id: $id) {\n      silence {\n        ...SilenceRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ChainTask on Task {\n    id\n    state\n    scheduledAt\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n    }\n  }\n"): (typeof documents)["\n  fragment ChainTask on Task {\n    id\n    state\n    scheduledAt\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TaskChain($id: ID!) {\n    task(id: $id) {\n      id\n      upstream {\n        ...ChainTask\n      }\n      downstream(first: 20) {\n        ...ChainTask\n      }\n      job {\n        id\n        downstream(first: 20) {\n          id\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query TaskChain($id: ID!) {\n    task(id: $id) {\n      id\n      upstream {\n        ...ChainTask\n      }\n      downstream(first: 20) {\n        ...ChainTask\n      }\n      job {\n        id\n        downstream(first: 20) {\n          id\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment TaskDetail on Task {\n    ...TaskRow\n    priority\n    availableAt\n    createdAt\n    deadlineAt\n    parameters\n    result\n    uniqueKey\n    shard\n    shards\n    progressMessage\n    rootTask {\n      id\n      job {\n        id\n        name\n      }\n    }\n    parent {\n      id\n    }\n    backfill {\n      id\n    }\n    group {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n    attempts {\n      id\n      number\n      state\n      nodeName\n      availableAt\n      dispatchedAt\n      startedAt\n      finishedAt\n      error\n    }\n    timeline {\n      at\n      kind\n      attempt\n      message\n      actor\n    }\n  }\n"): (typeof documents)["\n  fragment TaskDetail on Task {\n    ...TaskRow\n    priority\n    availableAt\n    createdAt\n    deadlineAt\n    parameters\n    result\n    uniqueKey\n    shard\n    shards\n    progressMessage\n    rootTask {\n      id\n      job {\n        id\n        name\n      }\n    }\n    parent {\n      id\n    }\n    backfill {\n      id\n    }\n    group {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n    attempts {\n      id\n      number\n      state\n      nodeName\n      availableAt\n      dispatchedAt\n      startedAt\n      finishedAt\n      error\n    }\n    timeline {\n      at\n      kind\n      attempt\n      message\n      actor\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TaskPage($id: ID!) {\n    task(id: $id) {\n      ...TaskDetail\n    }\n  }\n"): (typeof documents)["\n  query TaskPage($id: ID!) {\n    task(id: $id) {\n      ...TaskDetail\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription OneTaskChanged($id: String!) {\n    taskChanged(filter: { search: $id }) {\n      ...TaskDetail\n    }\n  }\n"): (typeof documents)["\n  subscription OneTaskChanged($id: String!) {\n    taskChanged(filter: { search: $id }) {\n      ...TaskDetail\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TaskLogs($id: ID!, $first: Int!, $after: Long) {\n    task(id: $id) {\n      id\n      logs(first: $first, after: $after) {\n        hasNextPage\n        endCursor\n        truncated\n        nodes {\n          seq\n          at\n          level\n          message\n          fields\n          attempt\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query TaskLogs($id: ID!, $first: Int!, $after: Long) {\n    task(id: $id) {\n      id\n      logs(first: $first, after: $after) {\n        hasNextPage\n        endCursor\n        truncated\n        nodes {\n          seq\n          at\n          level\n          message\n          fields\n          attempt\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription TaskLogParts($id: ID!, $after: Long) {\n    taskLogParts(task: $id, after: $after) {\n      truncated\n      lateAttempt\n      nodes {\n        seq\n        at\n        level\n        message\n        fields\n        attempt\n      }\n    }\n  }\n"): (typeof documents)["\n  subscription TaskLogParts($id: ID!, $after: Long) {\n    taskLogParts(task: $id, after: $after) {\n      truncated\n      lateAttempt\n      nodes {\n        seq\n        at\n        level\n        message\n        fields\n        attempt\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TaskShards($id: ID!, $first: Int!, $after: String) {\n    task(id: $id) {\n      id\n      children(first: $first, after: $after) {\n        pageInfo {\n          hasNextPage\n          hasPreviousPage\n          startCursor\n          endCursor\n        }\n        nodes {\n          ...TaskRow\n          shard\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query TaskShards($id: ID!, $first: Int!, $after: String) {\n    task(id: $id) {\n      id\n      children(first: $first, after: $after) {\n        pageInfo {\n          hasNextPage\n          hasPreviousPage\n          startCursor\n          endCursor\n        }\n        nodes {\n          ...TaskRow\n          shard\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription TaskShardChanged($task: ID!) {\n    taskChanged(filter: { parent: $task }) {\n      ...TaskRow\n      shard\n    }\n  }\n"): (typeof documents)["\n  subscription TaskShardChanged($task: ID!) {\n    taskChanged(filter: { parent: $task }) {\n      ...TaskRow\n      shard\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RescheduleTask($id: ID!, $delay: Duration, $runAt: Time) {\n    rescheduleTask(id: $id, delay: $delay, runAt: $runAt) {\n      task {\n        ...TaskDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation RescheduleTask($id: ID!, $delay: Duration, $runAt: Time) {\n    rescheduleTask(id: $id, delay: $delay, runAt: $runAt) {\n      task {\n        ...TaskDetail\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment TaskRow on Task {\n    id\n    state\n    trigger\n    scheduledAt\n    startedAt\n    finishedAt\n    duration\n    attempt\n    maxAttempts\n    reason\n    error\n    progress\n    cancelRequestedAt\n    node {\n      id\n      name\n    }\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n    }\n  }\n"): (typeof documents)["\n  fragment TaskRow on Task {\n    id\n    state\n    trigger\n    scheduledAt\n    startedAt\n    finishedAt\n    duration\n    attempt\n    maxAttempts\n    reason\n    error\n    progress\n    cancelRequestedAt\n    node {\n      id\n      name\n    }\n    job {\n      id\n      name\n      trigger {\n        zone\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Tasks($first: Int!, $after: String, $filter: TaskFilter) {\n    tasks(first: $first, after: $after, filter: $filter) {\n      totalCount\n      searchedTo\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...TaskRow\n      }\n    }\n  }\n"): (typeof documents)["\n  query Tasks($first: Int!, $after: String, $filter: TaskFilter) {\n    tasks(first: $first, after: $after, filter: $filter) {\n      totalCount\n      searchedTo\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      nodes {\n        ...TaskRow\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription TaskListChanged($filter: TaskFilter) {\n    taskChanged(filter: $filter) {\n      ...TaskRow\n    }\n  }\n"): (typeof documents)["\n  subscription TaskListChanged($filter: TaskFilter) {\n    taskChanged(filter: $filter) {\n      ...TaskRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CancelTask($id: ID!, $reason: String) {\n    cancelTask(id: $id, reason: $reason) {\n      task {\n        ...TaskRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CancelTask($id: ID!, $reason: String) {\n    cancelTask(id: $id, reason: $reason) {\n      task {\n        ...TaskRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RetryTask($id: ID!, $parameters: JSON) {\n    retryTask(id: $id, parameters: $parameters) {\n      task {\n        ...TaskRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation RetryTask($id: ID!, $parameters: JSON) {\n    retryTask(id: $id, parameters: $parameters) {\n      task {\n        ...TaskRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DiscardTask($id: ID!, $reason: String) {\n    discardTask(id: $id, reason: $reason) {\n      task {\n        ...TaskRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation DiscardTask($id: ID!, $reason: String) {\n    discardTask(id: $id, reason: $reason) {\n      task {\n        ...TaskRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TaskGroups {\n    nodeGroups {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  query TaskGroups {\n    nodeGroups {\n      id\n      name\n      app {\n        id\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FilteredJob($id: ID!) {\n    job(id: $id) {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  query FilteredJob($id: ID!) {\n    job(id: $id) {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FilteredNode($id: ID!) {\n    node(id: $id) {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  query FilteredNode($id: ID!) {\n    node(id: $id) {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FilteredBackfill($id: ID!) {\n    backfill(id: $id) {\n      id\n      from\n      to\n      job {\n        id\n        name\n        trigger {\n          zone\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query FilteredBackfill($id: ID!) {\n    backfill(id: $id) {\n      id\n      from\n      to\n      job {\n        id\n        name\n        trigger {\n          zone\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TaskParameters($id: ID!) {\n    task(id: $id) {\n      id\n      parameters\n    }\n  }\n"): (typeof documents)["\n  query TaskParameters($id: ID!) {\n    task(id: $id) {\n      id\n      parameters\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment TokenRow on ApiToken {\n    id\n    name\n    prefix\n    role\n    apps {\n      ...AppRoleFields\n    }\n    scopes\n    createdAt\n    expiresAt\n    lastUsedAt\n    revokedAt\n  }\n"): (typeof documents)["\n  fragment TokenRow on ApiToken {\n    id\n    name\n    prefix\n    role\n    apps {\n      ...AppRoleFields\n    }\n    scopes\n    createdAt\n    expiresAt\n    lastUsedAt\n    revokedAt\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Tokens($first: Int, $after: String, $search: String, $active: Boolean) {\n    apiTokens(first: $first, after: $after, search: $search, active: $active) {\n      nodes {\n        ...TokenRow\n      }\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query Tokens($first: Int, $after: String, $search: String, $active: Boolean) {\n    apiTokens(first: $first, after: $after, search: $search, active: $active) {\n      nodes {\n        ...TokenRow\n      }\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateToken($input: CreateApiTokenInput!) {\n    createApiToken(input: $input) {\n      apiToken {\n        ...TokenRow\n      }\n      token\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CreateToken($input: CreateApiTokenInput!) {\n    createApiToken(input: $input) {\n      apiToken {\n        ...TokenRow\n      }\n      token\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RevokeToken($id: ID!) {\n    revokeApiToken(id: $id) {\n      apiToken {\n        ...TokenRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation RevokeToken($id: ID!) {\n    revokeApiToken(id: $id) {\n      apiToken {\n        ...TokenRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment AppRoleFields on AppRole {\n    role\n    app {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  fragment AppRoleFields on AppRole {\n    role\n    app {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment UserRow on User {\n    id\n    name\n    role\n    apps {\n      ...AppRoleFields\n    }\n    hasPassword\n    disabledAt\n    createdAt\n  }\n"): (typeof documents)["\n  fragment UserRow on User {\n    id\n    name\n    role\n    apps {\n      ...AppRoleFields\n    }\n    hasPassword\n    disabledAt\n    createdAt\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Users($first: Int, $after: String, $search: String, $disabled: Boolean) {\n    users(first: $first, after: $after, search: $search, disabled: $disabled) {\n      nodes {\n        ...UserRow\n      }\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query Users($first: Int, $after: String, $search: String, $disabled: Boolean) {\n    users(first: $first, after: $after, search: $search, disabled: $disabled) {\n      nodes {\n        ...UserRow\n      }\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query User($id: ID!) {\n    user(id: $id) {\n      ...UserRow\n    }\n  }\n"): (typeof documents)["\n  query User($id: ID!) {\n    user(id: $id) {\n      ...UserRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query UserSessions($user: ID!) {\n    userSessions(user: $user) {\n      id\n      current\n      createdAt\n      lastSeenAt\n      expiresAt\n    }\n  }\n"): (typeof documents)["\n  query UserSessions($user: ID!) {\n    userSessions(user: $user) {\n      id\n      current\n      createdAt\n      lastSeenAt\n      expiresAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateUser($input: CreateUserInput!) {\n    createUser(input: $input) {\n      user {\n        ...UserRow\n      }\n      link\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CreateUser($input: CreateUserInput!) {\n    createUser(input: $input) {\n      user {\n        ...UserRow\n      }\n      link\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateUser($input: UpdateUserInput!) {\n    updateUser(input: $input) {\n      user {\n        ...UserRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateUser($input: UpdateUserInput!) {\n    updateUser(input: $input) {\n      user {\n        ...UserRow\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ResetUserPassword($id: ID!) {\n    resetUserPassword(id: $id) {\n      user {\n        ...UserRow\n      }\n      link\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation ResetUserPassword($id: ID!) {\n    resetUserPassword(id: $id) {\n      user {\n        ...UserRow\n      }\n      link\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EndUserSession($id: ID!) {\n    endSession(id: $id) {\n      session {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation EndUserSession($id: ID!) {\n    endSession(id: $id) {\n      session {\n        id\n      }\n      userErrors {\n        ...UserError\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RoleApps {\n    apps {\n      id\n      name\n    }\n  }\n"): (typeof documents)["\n  query RoleApps {\n    apps {\n      id\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment UserError on UserError {\n    code\n    field\n    message\n  }\n"): (typeof documents)["\n  fragment UserError on UserError {\n    code\n    field\n    message\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Viewer {\n    viewer {\n      name\n      isToken\n      role\n      roleInAllApps\n      locale\n      timeZone\n    }\n  }\n"): (typeof documents)["\n  query Viewer {\n    viewer {\n      name\n      isToken\n      role\n      roleInAllApps\n      locale\n      timeZone\n    }\n  }\n"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;