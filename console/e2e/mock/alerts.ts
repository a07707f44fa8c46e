import type { ChannelRecord, NoteRecord } from './alert-records.ts';
import { pageOf } from './page.ts';
import type { World } from './world.ts';

// Views of channels and messages, and the root fields of Query about them.

const one = <T extends { id: string }, V>(
  all: readonly T[],
  id: string | null | undefined,
  view: (record: T) => V,
): V | null => {
  const found = all.find((each) => each.id === id);
  return found ? view(found) : null;
};

export const channelView = (channel: ChannelRecord): object => ({ ...channel });

export function noteView(world: World, note: NoteRecord): object {
  return { ...note, channel: () => one(world.channels, note.channelId, channelView) };
}

interface NoteFilterArgs {
  states?: string[] | null;
  channel?: string | null;
  from?: string | null;
}

interface PageArgs {
  first?: number;
  after?: string;
}

const within = (wanted: readonly string[] | null | undefined, value: string) =>
  !wanted || wanted.length === 0 || wanted.includes(value);

/** The root fields of Query about channels and messages. */
export function alertQueries(world: World) {
  return {
    alertChannels: () => world.channels.map(channelView),
    alertChannel: ({ id }: { id: string }) => one(world.channels, id, channelView),
    channelKinds: () => channelKinds,
    notifications: ({ filter, ...args }: PageArgs & { filter?: NoteFilterArgs | null }) => {
      const f = filter ?? {};
      const found = world.notes
        .filter(
          (note) =>
            within(f.states, note.state) &&
            (!f.channel || note.channelId === f.channel) &&
            (!f.from || note.createdAt >= f.from),
        )
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
      const page = pageOf(found, args);
      return { ...page, nodes: page.nodes.map((note) => noteView(world, note)) };
    },
    notification: ({ id }: { id: string }) => one(world.notes, id, (note) => noteView(world, note)),
    messagePreview: ({ input }: { input: PreviewArgs }) => previewOf(input),
    people: () => world.people,
  };
}

interface PreviewArgs {
  message: string;
  language?: string | null;
  subject?: string | null;
  body?: string | null;
}

/** Renders nothing: shows the template with a sample's title in it, or refuses one that is not closed. */
function previewOf(input: PreviewArgs): object {
  const zh = input.language === 'zh-CN';
  const usual = zh
    ? 'reconcile-payments 失败 3 次\n自 03:02 起，最近一次 07:20\n第 3 次尝试，节点 shop-7f9c-1：connection refused\n将不再重试，等待处理。'
    : 'reconcile-payments failed 3 times\nsince 03:02, last at 07:20\nAttempt 3 on shop-7f9c-1: connection refused\nIt is not retried any more and waits for a person.';
  const body = input.body?.replace(/\{\{[^}]*\}\}/g, '…') ?? usual;
  const open = input.body?.split('{{').length !== input.body?.split('}}').length;
  const message = 'The body does not end an action: "{{" without "}}". Close it.';
  return {
    subject:
      input.subject ??
      (zh ? '[严重] reconcile-payments 失败' : '[Critical] reconcile-payments failed'),
    body,
    bytes: new TextEncoder().encode(body).length,
    truncated: false,
    error: input.body && open ? { code: 'INVALID', field: ['input', 'body'], message } : null,
  };
}

const channelKinds = [
  [
    'DINGTALK',
    20,
    5,
    20_000,
    'bytes',
    'Twenty messages a minute; what is above is refused for ten minutes.',
  ],
  [
    'FEISHU',
    100,
    5,
    20_000,
    'bytes',
    'Avoid the full and the half hour: the service is crowded then.',
  ],
  ['WECOM', 20, 5, 4_096, 'bytes', 'Twenty messages a minute and robot.'],
  ['SLACK', 60, 3, 40_000, 'characters', 'One message a second and channel.'],
  ['TEAMS', 60, 4, 28_000, 'bytes', 'The workflow answers 202 before it has posted.'],
  ['TELEGRAM', 20, 1, 4_096, 'characters', 'Twenty messages a minute and group.'],
  ['DISCORD', 30, 5, 2_000, 'characters', 'Thirty messages a minute and channel.'],
  ['WEBHOOK', 600, 50, 1_000_000, 'bytes', 'Signed as Standard Webhooks say.'],
  ['EMAIL', 60, 10, 1_000_000, 'bytes', 'Providers limit how much a sender may send.'],
].map(([kind, perMinute, burst, sizeLimit, sizeUnit, note]) => ({
  kind,
  perMinute,
  burst,
  sizeLimit,
  sizeUnit,
  note,
}));
