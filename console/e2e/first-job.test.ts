import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type editorMessages from '../src/i18n/locales/en/editor.json';
import type statesMessages from '../src/i18n/locales/en/states.json';
import { type Server, startBrowser, startServer } from './belfry';

function messages<T>(language: string, file: string): T {
  const path = fileURLToPath(
    new URL(`../src/i18n/locales/${language}/${file}.json`, import.meta.url),
  );
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

describe.each([
  { language: 'en', locale: 'en-GB' },
  { language: 'zh-CN', locale: 'zh-CN' },
])('a newcomer, in $language', ({ language, locale }) => {
  const editor = messages<typeof editorMessages>(language, 'editor');
  const states = messages<typeof statesMessages>(language, 'states');
  let server: Server;
  let context: BrowserContext;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    server = await startServer();
    context = await startBrowser({ locale });
    page = await context.newPage();
    page.on('console', (m) => {
      if (m.type() === 'error') problems.push(m.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
  });

  afterAll(async () => {
    await context.close();
    expect(await server.stop()).toBe(0);
  });

  it('signs in by the printed link and sees the demo run', async () => {
    await page.goto(server.link);
    await page.getByText('refresh-prices').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
  });

  it('creates a job, watches it run and reads its log', async () => {
    await page.goto(`${server.url}/jobs/new`);
    await page.getByLabel(editor.what.name, { exact: false }).first().fill('hello-world');
    await page.getByLabel(editor.what.group, { exact: false }).first().click();
    await page.getByRole('option', { name: 'demo / default' }).click();
    await page.getByLabel(editor.what.handler, { exact: false }).first().fill('SendGreeting');
    await page
      .getByLabel(editor.what.parameters, { exact: false })
      .first()
      .fill('{"name": "李雷", "language": "zh"}');
    const expression = page.getByLabel(editor.when.expression, { exact: false }).first();
    await expression.fill('* * * * * ?');
    await page.getByLabel(editor.preview.fires).first().waitFor();
    await page.getByRole('button', { name: editor.create }).click();

    await page.waitForURL(/\/jobs\/[0-9A-Z]{26}$/);
    await page.getByText(states.task.SUCCEEDED).first().waitFor();

    await page.goto(`${server.url}/tasks?states=%5B%22SUCCEEDED%22%5D`);
    await page.getByRole('link', { name: 'hello-world' }).first().click();
    await page.waitForURL(/\/tasks\/[0-9A-Z]{26}$/);
    await page.getByText('你好, 李雷!').first().waitFor();
    expect(await page.getByText('demo-1').count()).toBeGreaterThan(0);
  });

  it('shows the browser no error', () => {
    expect(problems).toEqual([]);
  });
});
