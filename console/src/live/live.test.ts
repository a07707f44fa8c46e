import { expect, test, vi } from 'vitest';
import { Live, type LiveEvents, type Sink } from './live';

function setup() {
  let events: LiveEvents | undefined;
  const sinks: Sink[] = [];
  const disposed = vi.fn();
  const lost = vi.fn();
  const live = new Live((e) => {
    events = e;
    return {
      subscribe: (_payload, sink) => {
        sinks.push(sink);
        return () => undefined;
      },
      dispose: disposed,
    };
  }, lost);
  const resync = vi.fn();
  live.onResync(resync);
  live.start();
  if (!events) throw new Error('not connected');
  return { live, events, sinks, resync, disposed, lost };
}

const nothing: Sink = { next: () => undefined, error: () => undefined, complete: () => undefined };

test('the status follows the connection', () => {
  const { live, events, lost } = setup();
  expect(live.status).toBe('connecting');
  events.connected();
  expect(live.status).toBe('live');
  events.closed();
  expect(live.status).toBe('reconnecting');
  expect(lost).toHaveBeenCalledOnce();
  events.connecting();
  expect(live.status).toBe('reconnecting');
});

test('lists are read again after a reconnect, not after the first connect', () => {
  const { events, resync } = setup();
  events.connected();
  expect(resync).not.toHaveBeenCalled();
  events.closed();
  events.connected();
  expect(resync).toHaveBeenCalledOnce();
});

test('lists are read again when the server cut a burst short', () => {
  const { live, sinks, resync } = setup();
  const next = vi.fn();
  live.subscribe({ query: 'subscription { x }' }, { ...nothing, next });
  sinks[0]?.next({ data: {} });
  expect(resync).not.toHaveBeenCalled();
  sinks[0]?.next({ data: {}, extensions: { resync: true } });
  expect(resync).toHaveBeenCalledOnce();
  expect(next).toHaveBeenCalledTimes(2);
});

test('a pause is shown and its end reads lists again', () => {
  const { live, events, resync } = setup();
  events.connected();
  live.pause();
  expect(live.status).toBe('paused');
  live.resume();
  expect(live.status).toBe('live');
  expect(resync).toHaveBeenCalledOnce();
});

test('stop ends the line once', () => {
  const { live, disposed } = setup();
  live.stop();
  live.stop();
  expect(disposed).toHaveBeenCalledOnce();
  expect(live.status).toBe('connecting');
});
