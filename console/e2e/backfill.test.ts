import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type backfillMessages from '../src/i18n/locales/en/backfill.json';
import type tasksMessages from '../src/i18n/locales/en/tasks.json';
import type whyMessages from '../src/i18n/locales/en/why.json';
import { type Server, startBrowser, startServer } from './belfry';

function messages<T>(file: string): T {
  const path = fileURLToPath(new URL(`../src/i18n/locales/en/${file}.json`, import.meta.url));
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

/** Asks the server as the console does, with the session of the page. */
async function ask(page: Page, query: string, variables: object = {}): Promise<unknown> {
  return page.evaluate(
    async (body) => {
      const answer = await fetch('/graphql', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Belfry-Console': '1' },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as unknown;
    },
    { query, variables },
  );
}

describe('past fires', () => {
  const backfill = messages<typeof backfillMessages>('backfill');
  const why = messages<typeof whyMessages>('why');
  const tasks = messages<typeof tasksMessages>('tasks');
  let server: Server;
  let context: BrowserContext;
  let page: Page;
  let job: string;
  const problems: string[] = [];

  beforeAll(async () => {
    server = await startServer();
    context = await startBrowser({ locale: 'en-GB' });
    page = await context.newPage();
    page.on('console', (m) => {
      if (m.type() === 'error') problems.push(m.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(server.link);
    await page.getByText('refresh-prices').first().waitFor();
    const groups = (await ask(page, '{ nodeGroups { id app { name } } }')) as {
      data: { nodeGroups: { id: string; app: { name: string } }[] };
    };
    const group = groups.data.nodeGroups.find((each) => each.app.name === 'demo')?.id;
    const made = (await ask(
      page,
      'mutation($input: CreateJobInput!) { createJob(input: $input) { job { id } userErrors { message } } }',
      {
        input: {
          group,
          name: 'hourly-greeting',
          handler: 'SendGreeting',
          parameters: { name: 'Ada', language: 'en' },
          trigger: { cron: { expression: '0 * * * *', zone: 'UTC' } },
        },
      },
    )) as { data: { createJob: { job: { id: string } } } };
    job = made.data.createJob.job.id;
  });

  afterAll(async () => {
    await context.close();
    expect(await server.stop()).toBe(0);
  });

  it('backfills a job over a day and watches it finish', async () => {
    await page.goto(`${server.url}/jobs/${job}`);
    await page.getByRole('button', { name: backfill.action }).click();
    await page.getByRole('button', { name: backfill.preset.yesterday }).click();
    await page.getByText(backfill.preview.makes_other.replace('{{shown}}', '24')).waitFor();
    await page.getByLabel(backfill.dialog.perMinute).fill('6000');
    await page.getByRole('button', { name: backfill.dialog.start }).click();

    await page.waitForURL(/\/backfills\/[0-9A-Z]{26}$/);
    // It is followed live: nothing is loaded again here.
    await page.getByText(backfill.state.FINISHED).waitFor();
    const bar = page.getByRole('progressbar', { name: backfill.column.progress });
    expect(await bar.getAttribute('aria-valuenow')).toBe('100');
    await page.getByRole('link', { name: '24' }).click();
    await page.waitForURL(/\/tasks\?.*backfill=/);
    // The address changes first, and the backfill's own page has as many rows.
    await page.getByRole('heading', { name: tasks.title, exact: true }).waitFor();
    await expect.poll(() => page.getByRole('row').count(), { timeout: 15_000 }).toBe(25);
  });

  it('says why it did not run at an instant, and what comes next', async () => {
    const next = Math.ceil(Date.now() / 3_600_000) * 3_600_000;
    const halfPast = new Date(next + 1_800_000).toISOString();
    await page.goto(`${server.url}/jobs/${job}?why=${halfPast}`);
    await page.getByRole('heading', { name: why.code.NO_FIRE }).waitFor();
    await page.getByRole('button', { name: `${why.askThis}: ${why.next}` }).click();
    await page.getByRole('heading', { name: why.code.WILL_RUN }).waitFor();
    const asked = new URL(page.url()).searchParams.get('why');
    expect(Date.parse(asked ?? '')).toBe(next + 3_600_000);
  });

  it('shows the browser no error', () => {
    expect(problems).toEqual([]);
  });
});
