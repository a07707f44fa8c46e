import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type calendarMessages from '../src/i18n/locales/en/calendars.json';
import type editorMessages from '../src/i18n/locales/en/editor.json';
import { type Server, startBrowser, startServer } from './belfry';

function messages<T>(file: string): T {
  const path = fileURLToPath(new URL(`../src/i18n/locales/en/${file}.json`, import.meta.url));
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

/** A date so many days from today, on the calendar of UTC. */
function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

describe('somebody who plans around holidays', () => {
  const calendars = messages<typeof calendarMessages>('calendars');
  const editor = messages<typeof editorMessages>('editor');
  const holiday = inDays(2);
  let server: Server;
  let context: BrowserContext;
  let page: Page;
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
  });

  afterAll(async () => {
    await context.close();
    expect(await server.stop()).toBe(0);
  });

  const dialog = () => page.getByRole('dialog');
  const editorField = (label: string) => page.getByLabel(label, { exact: false }).first();

  async function beginJob(name: string): Promise<void> {
    await page.goto(`${server.url}/jobs/new`);
    await editorField(editor.what.name).fill(name);
    await editorField(editor.what.group).click();
    await page.getByRole('option', { name: 'demo / default' }).click();
    await editorField(editor.what.handler).fill('SendGreeting');
  }

  it('makes a calendar and imports a list after seeing what it changes', async () => {
    await page.goto(`${server.url}/calendars`);
    await page.getByRole('button', { name: calendars.create }).click();
    await dialog().getByLabel(calendars.name, { exact: false }).first().fill('plant');
    await dialog().getByRole('button', { name: calendars.createSubmit }).click();
    await page.waitForURL(/\/calendars\/[0-9A-Z]{26}$/);

    await page.getByRole('button', { name: calendars.import.button }).click();
    await dialog().getByLabel(calendars.import.text).fill(`${holiday} Founding Day`);
    await dialog().getByRole('button', { name: calendars.import.check }).click();
    await dialog().getByText('Founding Day').last().waitFor();
    await dialog().getByRole('button', { name: calendars.import.apply, exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.goto(`${page.url()}?year=${holiday.slice(0, 4)}`);
    const day = page.locator(`[data-tip="${holiday}"]`);
    expect(await day.getAttribute('aria-label')).toContain('Founding Day');
  });

  it('gives it to a cron job and sees the day on the strip', async () => {
    await beginJob('every-noon');
    await page.getByLabel(editor.cron.pattern).first().click();
    await page.getByRole('option', { name: editor.cron.kind.DAILY }).click();
    await page.getByLabel(editor.cron.time, { exact: true }).fill('12:00');
    await page.getByLabel(editor.calendar.label, { exact: true }).first().click();
    await page.getByRole('option', { name: 'plant' }).click();
    const strip = page.getByRole('region', { name: editor.forecast.title });
    await strip.getByText(editor.forecast.zooms.week, { exact: true }).click();
    const day = strip.locator(`[data-tip="${holiday}"][data-rest="REST"]`);
    await day.waitFor();
    expect(await day.getAttribute('aria-label')).toContain('Founding Day');
    await page.getByRole('button', { name: editor.create }).click();
    await page.waitForURL(/\/jobs\/[0-9A-Z]{26}$/);
  });

  it('makes a job that waits for it', async () => {
    await beginJob('after-noon');
    await page.getByText('Dependency', { exact: true }).click();
    await page.getByLabel(editor.dep.add).first().fill('every-noon');
    await page.getByRole('option', { name: 'demo / every-noon' }).click();
    await page
      .getByText(/after every-noon has succeeded/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'demo / every-noon' }).waitFor();
    await page.getByRole('button', { name: editor.create }).click();
    await page.waitForURL(/\/jobs\/[0-9A-Z]{26}$/);
  });

  it('is refused a circle, with its path', async () => {
    await page.goto(`${server.url}/jobs?q=every-noon`);
    await page.getByRole('link', { name: 'every-noon' }).first().click();
    await page.waitForURL(/\/jobs\/[0-9A-Z]{26}$/);
    await page.goto(`${page.url()}/edit`);
    await page.getByText('Dependency', { exact: true }).click();
    await page.getByLabel(editor.dep.add).first().fill('after-noon');
    await page.getByRole('option', { name: 'demo / after-noon' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[aria-invalid=true]').first().waitFor();
    const said = await page.getByRole('region', { name: editor.when.title }).textContent();
    expect(said).toMatch(/every-noon.*after-noon|after-noon.*every-noon/);
  });

  it('shows the browser no error', () => {
    expect(problems).toEqual([]);
  });
});
