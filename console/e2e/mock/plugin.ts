import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin, PreviewServer } from 'vite';
import { WebSocketServer } from 'ws';
import { makeLine } from './factories.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import type { Faults, World } from './world.ts';

interface Command {
  scenario?: Scenario;
  role?: 'VIEWER' | 'OPERATOR' | 'DEVELOPER' | 'ADMIN' | null;
  faults?: Partial<Faults>;
  /** The second factor of whoever is signed in. */
  factor?: Partial<World['factor']>;
  methods?: World['methods'];
  /** Sends a change of the first job. */
  touch?: boolean;
  /** Writes lines into a task's log. */
  lines?: LinesCommand;
}

interface LinesCommand {
  task: string;
  count: number;
  /** Sends them to those who follow the log. */
  live: boolean;
  /** Live: this many a second, in parts as the server sends them, ten a second; all at once when absent. */
  rate?: number;
}

/** Answers /graphql, /auth and, to steer it, /__mock on the preview server. For looking and for e2e tests only. */
export function mockServer(): Plugin {
  return { name: 'belfry-mock-server', configurePreviewServer: (server) => attach(server) };
}

function attach(server: PreviewServer): void {
  let world: World = scenarios.few();
  const steer = (command: Command) => {
    if (command.scenario) world = scenarios[command.scenario]();
    if (command.role === null) world.viewer = null;
    else if (command.role && world.viewer) world.viewer.role = command.role;
    Object.assign(world.faults, command.faults);
    Object.assign(world.factor, command.factor);
    if (command.methods) world.methods = command.methods;
    const [job] = world.jobs;
    if (command.touch && job) world.jobChanged(job);
    if (command.lines) writeLines(world, command.lines);
  };

  server.middlewares.use((request, response, next) => {
    const path = request.url?.split('?')[0] ?? '';
    const ours = path === '/graphql' || path === '/__mock' || path.startsWith('/auth/');
    if (path === '/auth/methods') return send(response, 200, world.methods);
    if (request.method !== 'POST' || !ours) return next();
    void readJson(request).then(async (body) => {
      if (path === '/__mock') {
        steer(body as Command);
        return send(response, 204, null);
      }
      if (request.headers['x-belfry-console'] !== '1') return send(response, 403, null);
      const answer =
        path === '/graphql'
          ? await world.graphql(body as Parameters<World['graphql']>[0])
          : await world.auth(path, body as Record<string, unknown>);
      send(response, answer.status, answer.body);
    });
  });

  serveSubscriptions(server, () => world);
}

/** Parts that the server sends in a second, at most. */
const partsASecond = 10;

function writeLines(world: World, command: LinesCommand): void {
  const task = world.tasks.find((each) => each.id === command.task);
  if (!task) return;
  const last = task.logs.at(-1);
  const attempt = last?.attempt ?? 1;
  let next = Number(last?.seq ?? 0) + 1;
  const lines = (count: number) =>
    Array.from({ length: count }, () => writtenLine(next++, attempt));
  if (!command.live) {
    for (const line of lines(command.count)) task.logs.push(line);
    return;
  }
  const part = command.rate ? Math.ceil(command.rate / partsASecond) : command.count;
  let rest = command.count;
  const send = () => {
    world.logLines(task, lines(Math.min(part, rest)));
    rest -= part;
    if (rest <= 0) clearInterval(timer);
  };
  const timer = setInterval(send, 1_000 / partsASecond);
  send();
}

function writtenLine(seq: number, attempt: number) {
  return makeLine(seq, {
    attempt,
    at: new Date().toISOString(),
    level: seq % 1_000 === 0 ? 'ERROR' : seq % 40 === 0 ? 'WARN' : 'INFO',
    message: `\u001b[32mpayment\u001b[0m ${seq} matched in the ledger of the bank`,
    fields: { amount: 100 + seq, stream: seq % 50 === 0 ? 'stderr' : 'stdout' },
  });
}

function serveSubscriptions(server: PreviewServer, world: () => World): void {
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: () => 'graphql-transport-ws',
  });
  server.httpServer.on('upgrade', (request: IncomingMessage, socket, head) => {
    if (request.url !== '/graphql') return;
    sockets.handleUpgrade(request, socket, head, (ws) => {
      const ends = new Map<string, () => void>();
      ws.on('message', (raw) => {
        const message = JSON.parse(String(raw)) as {
          type: string;
          id: string;
          payload: { query: string; variables?: Record<string, unknown> };
        };
        const reply = (type: string, extra: object = {}) =>
          ws.send(JSON.stringify({ type, ...extra }));
        if (message.type === 'connection_init') reply('connection_ack');
        else if (message.type === 'ping') reply('pong');
        else if (message.type === 'complete') ends.get(message.id)?.();
        else if (message.type === 'subscribe') {
          const end = world().subscribe(message.payload, (payload) =>
            reply('next', { id: message.id, payload }),
          );
          ends.set(message.id, end);
        }
      });
      ws.on('close', () => {
        for (const end of ends.values()) end();
      });
    });
  });
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  response.end(body === null ? undefined : JSON.stringify(body));
}
