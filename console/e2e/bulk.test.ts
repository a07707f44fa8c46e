import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type bulkMessages from '../src/i18n/locales/en/bulk.json';
import type tasksMessages from '../src/i18n/locales/en/tasks.json';
import { type Server, startBrowser, startServer } from './belfry';

function messages<T>(file: string): T {
  const path = fileURLToPath(new URL(`../src/i18n/locales/en/${file}.json`, import.meta.url));
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

/** Asks the server as the console does, with the session of the page. */
async function ask<T>(page: Page, query: string, variables: object = {}): Promise<T> {
  const answer = await page.evaluate(
    async (body) => {
      const response = await fetch('/graphql', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Belfry-Console': '1' },
        body: JSON.stringify(body),
      });
      return (await response.json()) as unknown;
    },
    { query, variables },
  );
  return (answer as { data: T }).data;
}

interface Found {
  tasks: { nodes: { state: string; parameters: unknown }[] };
}

describe('tasks that failed for one reason', () => {
  const bulk = messages<typeof bulkMessages>('bulk');
  const tasks = messages<typeof tasksMessages>('tasks');
  let server: Server;
  let context: BrowserContext;
  let page: Page;
  let job: string;
  const problems: string[] = [];
  const find = () =>
    ask<Found>(
      page,
      'query($job: ID!) { tasks(filter: { job: $job }) { nodes { state parameters } } }',
      { job },
    );
  const states = async () => (await find()).tasks.nodes.map((task) => task.state);

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
    const groups = await ask<{ nodeGroups: { id: string; app: { name: string } }[] }>(
      page,
      '{ nodeGroups { id app { name } } }',
    );
    const group = groups.nodeGroups.find((each) => each.app.name === 'demo')?.id;
    const made = await ask<{ createJob: { job: { id: string } } }>(
      page,
      'mutation($input: CreateJobInput!) { createJob(input: $input) { job { id } userErrors { message } } }',
      {
        input: {
          group,
          name: 'greet-guests',
          handler: 'SendGreeting',
          // Nobody speaks it: each run fails for good.
          parameters: { name: 'Ada', language: 'xx' },
          trigger: { manual: true },
        },
      },
    );
    job = made.createJob.job.id;
    for (let i = 0; i < 3; i++) {
      await ask(
        page,
        'mutation($input: TriggerJobInput!) { triggerJob(input: $input) { userErrors { message } } }',
        { input: { job } },
      );
    }
  });

  afterAll(async () => {
    await context.close();
    expect(await server.stop()).toBe(0);
  });

  const dialog = () => page.getByRole('dialog');

  it('are edited and run again, all that match, and watched to the end', async () => {
    await expect
      .poll(states, { timeout: 60_000, interval: 500 })
      .toEqual(['FAILED', 'FAILED', 'FAILED']);
    await page.goto(`${server.url}/tasks?job=${job}&states=%5B%22FAILED%22%5D`);
    await page.getByRole('button', { name: tasks.allMatching.label }).click();
    await page.getByRole('menuitem', { name: bulk.deed.edit }).click();
    await dialog().getByText(bulk.preview.count_other.replace('{{shown}}', '3')).waitFor();
    await dialog().getByLabel(bulk.edit.patchLabel).fill('{"language": "de"}');
    await dialog().getByLabel(tasks.reason).fill('the language was wrong');
    const submit = bulk.what.edit_other.replace('{{shown}}', '3');
    await dialog().getByRole('button', { name: submit }).click();

    await dialog().getByText(bulk.told.FINISHED).waitFor();
    const bar = dialog().getByRole('progressbar', { name: bulk.column.progress });
    expect(await bar.getAttribute('aria-valuenow')).toBe('100');
    await expect
      .poll(states, { timeout: 60_000, interval: 500 })
      .toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
    const wanted = { name: 'Ada', language: 'de' };
    expect((await find()).tasks.nodes.map((task) => task.parameters)).toEqual([
      wanted,
      wanted,
      wanted,
    ]);
  });

  it('have a page of the operation that says how they were chosen', async () => {
    await dialog().getByRole('link', { name: bulk.itsPage }).click();
    await page.waitForURL(/\/bulk\/[0-9A-Z]{26}$/);
    await page.getByText('the language was wrong').waitFor();
    const chosen = page.getByRole('region', { name: bulk.chosen.title });
    await chosen.getByRole('link', { name: 'greet-guests' }).waitFor();
    await chosen.getByText('Failed', { exact: true }).waitFor();
    await page.getByRole('link', { name: bulk.title }).click();
    await page
      .getByRole('link', { name: bulk.what.edit_other.replace('{{shown}}', '3') })
      .waitFor();
  });

  it('shows the browser no error', () => {
    expect(problems).toEqual([]);
  });
});
