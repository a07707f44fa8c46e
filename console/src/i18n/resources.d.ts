import 'i18next';
import type account from './locales/en/account.json';
import type alerts from './locales/en/alerts.json';
import type apps from './locales/en/apps.json';
import type audit from './locales/en/audit.json';
import type auth from './locales/en/auth.json';
import type backfill from './locales/en/backfill.json';
import type bulk from './locales/en/bulk.json';
import type calendars from './locales/en/calendars.json';
import type channels from './locales/en/channels.json';
import type common from './locales/en/common.json';
import type deliveries from './locales/en/deliveries.json';
import type editor from './locales/en/editor.json';
import type job from './locales/en/job.json';
import type jobs from './locales/en/jobs.json';
import type nodes from './locales/en/nodes.json';
import type overview from './locales/en/overview.json';
import type reports from './locales/en/reports.json';
import type revisions from './locales/en/revisions.json';
import type routing from './locales/en/routing.json';
import type rules from './locales/en/rules.json';
import type security from './locales/en/security.json';
import type servers from './locales/en/servers.json';
import type shell from './locales/en/shell.json';
import type silences from './locales/en/silences.json';
import type states from './locales/en/states.json';
import type task from './locales/en/task.json';
import type tasks from './locales/en/tasks.json';
import type tokens from './locales/en/tokens.json';
import type users from './locales/en/users.json';
import type why from './locales/en/why.json';

// A new message file is added here, so that its keys are typed.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    returnNull: false;
    resources: {
      account: typeof account;
      alerts: typeof alerts;
      apps: typeof apps;
      audit: typeof audit;
      auth: typeof auth;
      backfill: typeof backfill;
      bulk: typeof bulk;
      calendars: typeof calendars;
      channels: typeof channels;
      common: typeof common;
      deliveries: typeof deliveries;
      editor: typeof editor;
      job: typeof job;
      jobs: typeof jobs;
      nodes: typeof nodes;
      overview: typeof overview;
      reports: typeof reports;
      revisions: typeof revisions;
      routing: typeof routing;
      rules: typeof rules;
      security: typeof security;
      servers: typeof servers;
      shell: typeof shell;
      silences: typeof silences;
      states: typeof states;
      task: typeof task;
      tasks: typeof tasks;
      tokens: typeof tokens;
      users: typeof users;
      why: typeof why;
    };
  }
}
