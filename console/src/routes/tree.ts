import { accountRoute } from './account';
import { channelRoute, channelsRoute, newChannelRoute } from './alert-channels';
import { newRuleRoute, ruleRoute, rulesRoute } from './alert-rules';
import {
  deliveriesRoute,
  incidentLinkRoute,
  incidentRoute,
  incidentsRoute,
  silencesRoute,
} from './alerts';
import { appRoute, appsRoute } from './apps';
import { auditRoute } from './audit';
import { backfillRoute } from './backfill';
import { bulkRoute, bulksRoute } from './bulk';
import { calendarRoute, calendarsRoute } from './calendars';
import { jobRoute } from './job';
import { editJobRoute, newJobRoute } from './job-editor';
import { jobRevisionsRoute } from './job-revisions';
import { jobsRoute } from './jobs';
import { nodesRoute } from './nodes';
import { overviewRoute } from './overview';
import { reportsRoute } from './reports';
import { rootRoute, shellRoute } from './root';
import { securityRoute } from './security';
import { serversRoute } from './servers';
import { signInRoute } from './sign-in';
import { taskRoute } from './task';
import { tasksRoute } from './tasks';
import { tokensRoute } from './tokens';
import { userRoute, usersRoute } from './users';
import { welcomeRoute } from './welcome';

/** Every page. A route file holds the address and its search schema; the page itself is loaded when needed. */
export const routeTree = rootRoute.addChildren([
  signInRoute,
  welcomeRoute,
  shellRoute.addChildren([
    overviewRoute,
    jobsRoute,
    newJobRoute,
    jobRoute,
    editJobRoute,
    jobRevisionsRoute,
    backfillRoute,
    tasksRoute,
    taskRoute,
    bulksRoute,
    bulkRoute,
    incidentsRoute,
    incidentRoute,
    incidentLinkRoute,
    rulesRoute,
    newRuleRoute,
    ruleRoute,
    silencesRoute,
    reportsRoute,
    channelsRoute,
    newChannelRoute,
    channelRoute,
    deliveriesRoute,
    calendarsRoute,
    calendarRoute,
    nodesRoute,
    serversRoute,
    appsRoute,
    appRoute,
    usersRoute,
    userRoute,
    tokensRoute,
    auditRoute,
    securityRoute,
    accountRoute,
  ]),
]);
