import { makeChannel } from './alert-records.ts';
import { channelView, noteView } from './alerts.ts';
import { need } from './queries.ts';
import { refusal } from './refusal.ts';
import type { World } from './world.ts';

interface Id {
  id: string;
}

/** What the server would refuse of a name. */
function nameRefusal(all: readonly { id: string; name: string }[], name: string, id: string) {
  const field = ['input', 'name'];
  if (name === '') return refusal('REQUIRED', 'The name is empty. Give it one.', field);
  const taken = all.some((each) => each.name === name && each.id !== id);
  return taken ? refusal('TAKEN', `The name "${name}" is taken. Choose another.`, field) : null;
}

function versionRefusal(sent: number | null | undefined, version: number) {
  if (sent == null || sent === version) return null;
  const message = `It is at version ${version} by now. Load it again and repeat the change.`;
  return refusal('CONFLICT', message, ['input', 'version']);
}

interface ChannelArgs {
  name: string;
  kind: string;
  language?: string | null;
  perMinute?: number | null;
  burst?: number | null;
  templates?: { kind: string; subject: string | null; body: string }[] | null;
  version?: number | null;
  [settings: string]: unknown;
}

/** The root fields of Mutation about channels, messages and contacts. */
export function alertMutations(world: World) {
  const set = (id: string, enabled: boolean) => {
    const channel = need(world.channels, id);
    Object.assign(channel, { enabled, disabledReason: null });
    return { channel: channelView(channel), userErrors: [] };
  };
  const settingsOf = (input: ChannelArgs) =>
    (input[input.kind.toLowerCase()] ?? {}) as Record<string, unknown>;
  const wrong = (input: ChannelArgs, id: string, version: number | null) => {
    const errors = [nameRefusal(world.channels, input.name, id)];
    if (version !== null) errors.push(versionRefusal(input.version, version));
    const { url } = settingsOf(input);
    if (typeof url === 'string' && !url.startsWith('http')) {
      const message = `"${url}" is no address. Write https://…`;
      errors.push(refusal('INVALID', message, ['input', input.kind.toLowerCase(), 'url']));
    }
    return errors.filter((error) => error !== null);
  };
  const fields = (input: ChannelArgs) => ({
    name: input.name,
    language: input.language ?? 'en',
    perMinute: input.perMinute ?? 60,
    burst: input.burst ?? 10,
    templates: input.templates ?? [],
  });
  return {
    enableAlertChannel: ({ id }: Id) => set(id, true),
    disableAlertChannel: ({ id }: Id) => set(id, false),
    createAlertChannel: ({ input }: { input: ChannelArgs }) => {
      const userErrors = wrong(input, '', null);
      if (userErrors.length > 0) return { channel: null, userErrors };
      const made = makeChannel({
        ...fields(input),
        kind: input.kind,
        settings: settingsOf(input),
        lastSentAt: null,
      });
      world.channels.push(made);
      return { channel: channelView(made), userErrors: [] };
    },
    updateAlertChannel: ({ id, input }: Id & { input: ChannelArgs }) => {
      const old = need(world.channels, id);
      const userErrors = wrong(input, id, old.version);
      if (userErrors.length > 0) return { channel: null, userErrors };
      Object.assign(old, fields(input), {
        settings: { ...old.settings, ...settingsOf(input) },
        version: old.version + 1,
      });
      return { channel: channelView(old), userErrors: [] };
    },
    deleteAlertChannel: ({ id }: Id) => {
      const old = need(world.channels, id);
      world.channels = world.channels.filter((channel) => channel.id !== id);
      return { channel: channelView(old), userErrors: [] };
    },
    testAlertChannel: ({ id }: Id) => {
      const channel = need(world.channels, id);
      const ok = channel.lastError === null;
      return {
        ok,
        status: ok ? 200 : 403,
        response: ok ? '{"errcode":0}' : '{"errcode":310000,"errmsg":"sign not match"}',
        error: channel.lastError,
        duration: '84ms',
        userErrors: [],
      };
    },
    replayNotification: ({ id }: Id) => {
      const note = need(world.notes, id);
      Object.assign(note, { state: 'QUEUED', nextAt: world.now().toISOString() });
      world.emit('notificationChanged', noteView(world, note));
      return { notification: noteView(world, note), userErrors: [] };
    },
    updateContacts: ({ input }: { input: Record<string, string | null> }) => {
      const person = world.people.find((each) => each.name === world.viewer?.name);
      if (!person) throw new Error('nobody is signed in');
      if (input.email && !input.email.includes('@')) {
        const message = `"${input.email}" is no address. Write name@example.com.`;
        const error = refusal('INVALID', message, ['input', 'email']);
        return { person: null, userErrors: [error] };
      }
      Object.assign(person.contacts, input);
      return { person, userErrors: [] };
    },
  };
}
