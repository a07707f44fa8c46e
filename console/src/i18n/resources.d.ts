import 'i18next';
import type auth from './locales/en/auth.json';
import type common from './locales/en/common.json';
import type job from './locales/en/job.json';
import type jobs from './locales/en/jobs.json';
import type shell from './locales/en/shell.json';
import type states from './locales/en/states.json';

// A new message file is added here, so that its keys are typed.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    returnNull: false;
    resources: {
      auth: typeof auth;
      common: typeof common;
      job: typeof job;
      jobs: typeof jobs;
      shell: typeof shell;
      states: typeof states;
    };
  }
}
