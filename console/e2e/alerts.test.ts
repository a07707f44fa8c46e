import { readFileSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type alertsMessages from '../src/i18n/locales/en/alerts.json';
import type channelsMessages from '../src/i18n/locales/en/channels.json';
import type deliveriesMessages from '../src/i18n/locales/en/deliveries.json';
import type rulesMessages from '../src/i18n/locales/en/rules.json';
import { type Server, startBrowser, startServer } from './belfry';

function messages<T>(file: string): T {
  const path = fileURLToPath(new URL(`../src/i18n/locales/en/${file}.json`, import.meta.url));
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

/** Asks the server as the console does, with the session of the page. */
async function ask<T>(page: Page, query: string, variables: object): Promise<T> {
  return page.evaluate(
    async (body) => {
      const answer = await fetch('/graphql', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Belfry-Console': '1' },
        body: JSON.stringify(body),
      });
      return ((await answer.json()) as { data: unknown }).data;
    },
    { query, variables },
  ) as Promise<T>;
}

interface Received {
  id: string;
  body: string;
}

/** Takes what a webhook is sent. */
async function startReceiver(): Promise<{ http: HttpServer; url: string; got: Received[] }> {
  const got: Received[] = [];
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({
        id: String(request.headers['webhook-id'] ?? ''),
        body: Buffer.concat(chunks).toString('utf8'),
      });
      response.end();
    });
  });
  await new Promise<void>((done) => {
    http.listen(0, '127.0.0.1', done);
  });
  const { port } = http.address() as AddressInfo;
  return { http, url: `http://127.0.0.1:${port}/hook`, got };
}

describe('somebody on duty', () => {
  const alerts = messages<typeof alertsMessages>('alerts');
  const channels = messages<typeof channelsMessages>('channels');
  const deliveries = messages<typeof deliveriesMessages>('deliveries');
  const rules = messages<typeof rulesMessages>('rules');
  const jobName = 'greet-in-klingon';
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let server: Server;
  let context: BrowserContext;
  let page: Page;
  let job: string;
  const problems: string[] = [];

  beforeAll(async () => {
    receiver = await startReceiver();
    server = await startServer({ BELFRY_WEBHOOK_ALLOW: '127.0.0.1' });
    context = await startBrowser({ locale: 'en-GB' });
    page = await context.newPage();
    page.on('console', (m) => {
      if (m.type() === 'error') problems.push(m.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(server.link);
    await page.getByText('refresh-prices').first().waitFor();
    const { nodeGroups } = await ask<{ nodeGroups: { id: string; app: { name: string } }[] }>(
      page,
      '{ nodeGroups { id app { name } } }',
      {},
    );
    const { createJob } = await ask<{ createJob: { job: { id: string } } }>(
      page,
      'mutation($input: CreateJobInput!) { createJob(input: $input) { job { id } } }',
      {
        input: {
          group: nodeGroups.find(({ app }) => app.name === 'demo')?.id,
          name: jobName,
          handler: 'SendGreeting',
          parameters: { name: 'Worf', language: 'tlh' },
          trigger: { manual: true },
        },
      },
    );
    job = createJob.job.id;
  });

  afterAll(async () => {
    await context.close();
    receiver.http.close();
    expect(await server.stop()).toBe(0);
  });

  const run = (parameters: object) =>
    ask(page, 'mutation($input: TriggerJobInput!) { triggerJob(input: $input) { task { id } } }', {
      input: { job, parameters },
    });

  it('makes a channel and sees the receiver take a test', async () => {
    await page.goto(`${server.url}/alerts/channels/new`);
    await page.getByLabel(channels.name, { exact: false }).first().fill('local-hook');
    await page.getByLabel(channels.setting.url, { exact: false }).first().fill(receiver.url);
    await page.getByRole('button', { name: channels.createSubmit }).click();
    await page.waitForURL(/\/alerts\/channels\/[0-9A-Z]{26}$/);
    await page.getByRole('button', { name: channels.test.button }).click();
    await page.getByText(channels.test.ok).waitFor();
    await page.getByText(channels.test.status.replace('{{status}}', '200')).waitFor();
    expect(receiver.got).toHaveLength(1);
  });

  it('makes a rule about a job, from the job', async () => {
    await page.goto(`${server.url}/jobs/${job}`);
    await page.getByRole('button', { name: alerts.job.alertMe }).click();
    await page.waitForURL(/\/alerts\/rules\/new\?job=/);
    await page.getByLabel(rules.name, { exact: false }).first().fill('klingons');
    await page.getByLabel(rules.rhythm.groupWait).fill('0s');
    await page.getByRole('button', { name: rules.createSubmit }).click();
    await page.waitForURL(/\/alerts\/rules$/);
    await page.getByRole('link', { name: 'klingons' }).waitFor();
  });

  it('sees the incident by itself, and who was told of it', async () => {
    await page.goto(`${server.url}/alerts?job=${job}`);
    await page.getByText(alerts.noMatch.title).waitFor();
    await run({ name: 'Worf', language: 'tlh' });
    const row = page.getByRole('row').filter({ hasText: jobName }).first();
    await row.getByText(alerts.state.OPEN).waitFor();
    await row.getByRole('link').first().click();
    await page.waitForURL(/\/alerts\/incidents\/[0-9A-Z]{26}$/);
    await page
      .getByText(/"tlh" is not spoken here/)
      .first()
      .waitFor();
    const told = page.getByRole('region', { name: alerts.notes.title });
    await told.getByText('local-hook').first().waitFor();
    await told.getByRole('link', { name: deliveries.message.PROBLEM }).first().click();
    const dialog = page.getByRole('dialog');
    // What a receiver inside answers is not kept: only its status is shown.
    await dialog.getByText(deliveries.tries.status.replace('{{status}}', '200')).waitFor();
    const id = new URL(page.url()).searchParams.get('notification');
    expect(receiver.got.map((message) => message.id)).toContain(id);
  });

  it('takes it on, mends the job, and sees it resolved', async () => {
    await page.goBack();
    await page.getByRole('button', { name: alerts.deed.acknowledge }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: alerts.deed.acknowledge }).click();
    await page.getByText(alerts.state.ACKNOWLEDGED).first().waitFor();
    await run({ name: 'Worf', language: 'en' });
    await page.getByText(alerts.state.RESOLVED, { exact: true }).first().waitFor();
    await expect
      .poll(() => receiver.got.some(({ body }) => /recover|RECOVERY/i.test(body)), {
        timeout: 30_000,
      })
      .toBe(true);
  });

  it('shows the browser no error', () => {
    expect(problems).toEqual([]);
  });
});
