import type { Page } from 'playwright-core';

/** One state of one page to look at. */
export interface Case {
  name: string;
  path: string;
  mock: object;
  /** Leads from the address to what is looked at. */
  go?: (page: Page) => Promise<unknown>;
  /** Console errors that belong to the case: a broken server makes the browser say so. */
  noisy?: boolean;
}

/** One operation is not answered in time. */
export const slow = (only: string) => ({ scenario: 'few', faults: { late: { only, ms: 60_000 } } });
/** One operation fails. */
export const broken = (only: string) => ({
  scenario: 'few',
  faults: {
    error: { only, code: 'INTERNAL', message: 'The ledger does not answer.', requestId: '01JDX' },
  },
});
/** Waits until the page says that an answer is late. */
export const saysSlow = (page: Page) =>
  page.locator('main p[role=status]').filter({ hasText: /\S/ }).first().waitFor();
export const firstJob = (page: Page) => page.locator('tbody a[href^="/jobs/"]').first().click();
