import { makeApp, makeAttempt, makeGroup, makeJob, makeLine, makeTask } from '@mock/factories';
import { World } from '@mock/world';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render';

// jsdom has no layout, so the virtualised lines are not there: the browser test reads them.
type Over = NonNullable<Parameters<typeof makeTask>[1]>;

function one(over: Over = {}) {
  const world = new World();
  const app = makeApp();
  const group = makeGroup(app);
  const job = makeJob(group, { name: 'close-orders' });
  const task = makeTask(job, over);
  world.apps.push(app);
  world.groups.push(group);
  world.jobs.push(job);
  world.tasks.push(task);
  return { world, task, address: `/tasks/${task.id}` };
}

const log = async () => within(await screen.findByRole('log', { name: 'Log' }));

test('a task that does not exist says so', async () => {
  await renderApp('/tasks/nothing');
  expect(await screen.findByText('There is no such task')).toBeTruthy();
});

test('shows names, values, events and the error with its rest folded', async () => {
  const { world, address } = one({
    state: 'FAILED',
    error: 'connection refused\n\ngoroutine 1',
    parameters: { day: 3 },
    reason: 'RETRIES_EXHAUSTED',
    attempts: [makeAttempt(1, '2026-11-30T07:20:00Z', '2026-11-30T07:20:02Z', { state: 'FAILED' })],
    timeline: [
      {
        at: '2026-11-30T07:20:00Z',
        kind: 'CREATED',
        attempt: null,
        message: 'by cron',
        actor: null,
      },
    ],
  });
  await renderApp(address, { world });
  expect(await screen.findByRole('heading', { name: 'close-orders' })).toBeTruthy();
  expect(screen.getByText('connection refused')).toBeTruthy();
  expect(screen.getByText('by cron')).toBeTruthy();
  expect(screen.getByRole('img', { name: /1 attempt within 2 s/ })).toBeTruthy();
  const table = within(screen.getByRole('table', { name: 'Attempts' }));
  expect(table.getByText('2 s')).toBeTruthy();
  expect(screen.getByRole('group', { name: 'Parameters' }).textContent).toContain('"day": 3');
});

test('follows the task live, only this one, by its id', async () => {
  const { world, task, address } = one({ state: 'RUNNING', progress: 0.25, finishedAt: null });
  const { user } = await renderApp(address, { world });
  expect(await screen.findByRole('progressbar', { name: 'Progress' })).toHaveProperty('value', 25);
  expect(screen.getByRole('button', { name: 'Cancel the task' })).toBeTruthy();
  task.state = 'FAILED';
  task.error = 'too bad';
  task.attempts = [
    makeAttempt(1, '2026-11-30T07:20:00Z', '2026-11-30T07:20:01Z', { state: 'FAILED' }),
  ];
  world.taskChanged(task);
  expect(await screen.findByText('too bad')).toBeTruthy();
  expect(screen.queryByRole('progressbar', { name: 'Progress' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Run again' }));
  await user.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Run again' }),
  );
  await waitFor(() => expect(task.state).toBe('WAITING'));
  expect(await screen.findByText('Waiting')).toBeTruthy();
});

test('runs again with other parameters', async () => {
  const { world, address } = one({ state: 'FAILED', parameters: { day: 3 } });
  const { user } = await renderApp(address, { world });
  await user.click(await screen.findByRole('button', { name: 'Edit and run again' }));
  const dialog = within(await screen.findByRole('dialog'));
  const field = dialog.getByRole('textbox', { name: 'Parameters' });
  await user.clear(field);
  await user.paste('{"day": 4}');
  await user.click(dialog.getByRole('button', { name: 'Run again' }));
  expect(await screen.findByText('The task runs again.')).toBeTruthy();
  const call = world.calls.find((each) => each.name === 'RetryTask');
  expect(call?.variables).toEqual({ id: world.tasks[0]?.id, parameters: { day: 4 } });
});

test('a task that is spread lists its parts and how they stand', async () => {
  const { world, task, address } = one({ shards: 2 });
  const job = world.jobs[0];
  if (!job) throw new Error('no job');
  world.tasks.push(
    makeTask(job, { parentId: task.id, shard: 0, shards: 2 }),
    makeTask(job, {
      parentId: task.id,
      shard: 1,
      shards: 2,
      state: 'FAILED',
      error: 'shard broke',
    }),
  );
  await renderApp(address, { world });
  const table = within(await screen.findByRole('table', { name: 'Parts' }));
  expect(await table.findByText('shard broke')).toBeTruthy();
  expect(table.getByRole('link', { name: '2' })).toBeTruthy();
  expect(await screen.findByText('1 of 2 succeeded, 1 failed, 0 under way')).toBeTruthy();
});

test('reads the whole log page by page, then the lines that come', async () => {
  const { world, task, address } = one({
    state: 'RUNNING',
    finishedAt: null,
    logs: Array.from({ length: 2_300 }, (_, i) => makeLine(i + 1)),
  });
  await renderApp(address, { world });
  expect(await screen.findByText('2,300 lines')).toBeTruthy();
  const asked = world.calls.filter((call) => call.name === 'TaskLogs');
  expect(asked.map((call) => call.variables.after ?? null)).toEqual([null, '1000', '2000']);
  await act(async () => world.logLine(task, makeLine(2_301, { message: 'fresh' })));
  expect(await screen.findByText('2,301 lines')).toBeTruthy();
  // Told twice, as after a reconnect: shown once.
  await act(async () =>
    world.emit('taskLogParts', { nodes: [makeLine(2_301)], truncated: false, lateAttempt: null }),
  );
  await act(async () => world.logLine(task, makeLine(2_302)));
  expect(await screen.findByText('2,302 lines')).toBeTruthy();
});

test('filters the log by text and level', async () => {
  const { world, address } = one({
    attempts: [
      makeAttempt(1, '2026-11-30T07:20:00Z', '2026-11-30T07:20:01Z'),
      makeAttempt(2, '2026-11-30T07:20:02Z', '2026-11-30T07:20:03Z', { nodeName: 'node-b' }),
    ],
    logs: [
      makeLine(1, { message: '\u001b[31mcoloured\u001b[0m <b>text</b>' }),
      makeLine(2, { level: 'WARN', message: 'slow', fields: { bank: 'ICBC' } }),
      makeLine(900, { level: 'ERROR', message: 'refused', attempt: 2 }),
    ],
  });
  const { user } = await renderApp(address, { world });
  expect(await screen.findByText('3 lines')).toBeTruthy();
  const search = screen.getByRole('searchbox', { name: 'Search the log' });
  await user.type(search, 'icbc');
  expect(await screen.findByText('1 match')).toBeTruthy();
  expect(screen.getByText('3 lines')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Only lines with the text' }));
  expect(await screen.findByText('1 of 3 lines')).toBeTruthy();
  await user.clear(search);
  await user.click(screen.getByRole('combobox', { name: 'Levels' }));
  await user.click(await screen.findByRole('option', { name: 'Errors only' }));
  expect(await screen.findByText('1 of 3 lines')).toBeTruthy();
});

test('steps through matches and errors, in a circle', async () => {
  const { world, address } = one({
    logs: [1, 2, 3, 4].map((n) =>
      makeLine(n, { level: n > 2 ? 'ERROR' : 'INFO', message: n === 2 ? 'other' : 'payment' }),
    ),
  });
  const { user } = await renderApp(address, { world });
  await user.type(await screen.findByRole('searchbox', { name: 'Search the log' }), 'PAY');
  expect(await screen.findByText('3 matches')).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(await screen.findByText('1 of 3')).toBeTruthy();
  await user.keyboard('{Enter}{Enter}{Enter}');
  expect(await screen.findByText('1 of 3')).toBeTruthy();
  await user.keyboard('{Shift>}{Enter}{/Shift}');
  expect(await screen.findByText('3 of 3')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'First error' }));
  await user.click(await screen.findByRole('button', { name: 'Error 1 of 2' }));
  expect(await screen.findByRole('button', { name: 'Error 2 of 2' })).toBeTruthy();
});

test('offers the whole log as a file of the server', async () => {
  const { task, address, world } = one({ logs: [makeLine(1)] });
  const { user } = await renderApp(address, { world });
  await user.click(await screen.findByRole('button', { name: 'Download the whole log' }));
  const item = await screen.findByRole('menuitem', { name: 'Text' });
  expect(item.getAttribute('href')).toBe(`/download/tasks/${task.id}/log?format=text`);
});

test('says when the line of a link is not there', async () => {
  const { world, address } = one({ logs: [makeLine(5)] });
  const { line: _ } = await renderApp(`${address}?line=3`, { world });
  expect(await screen.findByText(/The line of the link is not in the log/)).toBeTruthy();
});

test('reads all again when lines of an earlier attempt come late', async () => {
  const { world, task, address } = one({
    state: 'RUNNING',
    finishedAt: null,
    logs: [makeLine(1), makeLine(900, { attempt: 2 })],
  });
  await renderApp(address, { world });
  expect(await screen.findByText('2 lines')).toBeTruthy();
  await act(async () => world.logLine(task, makeLine(901, { attempt: 2 })));
  expect(await screen.findByText('3 lines')).toBeTruthy();
  task.logs.splice(1, 0, makeLine(2));
  await act(async () =>
    world.emit('taskLogParts', { nodes: [], truncated: false, lateAttempt: 1 }),
  );
  expect(await screen.findByText('4 lines')).toBeTruthy();
});

test('pauses: what comes is counted, and shown when one goes on', async () => {
  const { world, task, address } = one({ state: 'RUNNING', finishedAt: null, logs: [makeLine(1)] });
  const { user } = await renderApp(address, { world });
  await user.click(await screen.findByRole('button', { name: 'Pause the log' }));
  await act(async () => world.logLine(task, makeLine(2)));
  await user.click(await screen.findByRole('button', { name: 'Go on: 1 new line' }));
  expect(await screen.findByText('2 lines')).toBeTruthy();
});

test('says what an empty log means, and that lines were let go', async () => {
  const { world, task, address } = one({ state: 'RUNNING', finishedAt: null });
  await renderApp(address, { world });
  expect(await screen.findByText('No line yet')).toBeTruthy();
  task.truncated = true;
  task.state = 'SUCCEEDED';
  world.taskChanged(task);
  expect(await screen.findByText('The log is empty')).toBeTruthy();
  expect(await screen.findByText('Older lines were dropped by the log’s size limit.')).toBeTruthy();
});

test('a log that cannot be read leaves the page whole, and is read on request', async () => {
  const { world, address } = one({ logs: [makeLine(1)] });
  world.faults.error = { only: 'TaskLogs', code: 'INTERNAL', message: 'The log does not answer.' };
  const { user } = await renderApp(address, { world });
  expect(await screen.findByText('The log does not answer.')).toBeTruthy();
  world.faults.error = null;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('1 line')).toBeTruthy();
});

test('goes on after the last line when the line was cut', async () => {
  const { world, task, address } = one({ state: 'RUNNING', finishedAt: null, logs: [makeLine(1)] });
  const { line } = await renderApp(address, { world });
  await log();
  line.drop();
  task.logs.push(makeLine(2));
  await act(async () => line.mend());
  expect(await screen.findByText('2 lines')).toBeTruthy();
  expect(world.calls.filter((call) => call.name === 'TaskLogs').at(-1)?.variables.after).toBe('1');
});
