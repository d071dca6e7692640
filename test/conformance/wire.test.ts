/** Tests the protocol with third-party clients: the most used client of POST streams, from npm, and plain HTTP. */
import { fetchEventSource } from '@microsoft/fetch-event-source';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { startCutter } from '../../packages/client/test/cutter.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, held, says, stuck, textOf } from '../harness/story.ts';

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel();
  // The package is made for browsers.
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('document', new EventTarget());
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await kernel.stop();
});

interface Message {
  id: string;
  data: string;
}

/**
 * Reads a stream with the third-party client to its end. It treats a message that is not JSON as an error, and posts
 * again.
 */
async function readForeign(url: string, body?: object): Promise<{ messages: Message[]; opened: number }> {
  const messages: Message[] = [];
  let opened = 0;
  await fetchEventSource(url, {
    openWhenHidden: true,
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    onopen: async ({ status }) => {
      opened++;
      expect(status).toBe(200);
    },
    onmessage: ({ id, data }) => void messages.push({ id, data }),
    // By default the client would retry endlessly.
    onerror: error => {
      if (opened > 5) throw error;
      return 10;
    },
  });
  return { messages, opened };
}
const typesIn = (messages: readonly Message[]) => messages.map(({ data }) => JSON.parse(data).type as string);
const countOfTurns = async (chatId: string) =>
  (await kernel.api.items(chatId)).filter(item => item.kind === 'user_message').length;

test('[WIRE-1] reads a turn with @microsoft/fetch-event-source without an empty message, and starts it once', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  upstream.next(calls('call_1', 'plan', { tasks: [] }), says('Done.'));
  const { messages, opened } = await readForeign(`${kernel.url}/v1/chats/${chat.id}/messages`, {
    text: 'Go.',
  });
  expect(opened).toBe(1);
  expect(messages.filter(({ data }) => data === '')).toEqual([]);
  expect(messages.every(({ id }) => id !== '')).toBe(true);
  expect(typesIn(messages).at(-1)).toBe('done');
  expect(await countOfTurns(chat.id)).toBe(1);
});

test('[WIRE-2] attaches to its turn when @microsoft/fetch-event-source posts again after a cut', async () => {
  const { api, upstream } = kernel;
  const wire = await startCutter(kernel.url);
  onTestFinished(wire.close);
  const chat = await api.newChat();
  upstream.next({ steps: [{ text: ['a', 'b', 'c', 'd', 'e', 'f'], delay_ms: 5 }] });
  const asked = upstream.requests.length;
  // After the headers and the first events, and once more.
  wire.cutAfter(1300, 1300);
  const { messages, opened } = await readForeign(`${wire.url}/v1/chats/${chat.id}/messages`, { text: 'Go.' });
  expect(opened).toBeGreaterThan(1);
  expect(upstream.requests.length - asked).toBe(1);
  expect(await countOfTurns(chat.id)).toBe(1);
  expect(textOf(messages.map(({ data }) => JSON.parse(data)))).toBe('abcdef');
  expect(typesIn(messages).filter(type => type === 'done')).toEqual(['done']);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
});

test('[WIRE-1] starts a stream of all chats with an event, and sends only a line `retry:` on a silent one', async () => {
  const stream = await kernel.api.events();
  onTestFinished(() => stream.hangUp());
  await stream.until('opened');
  expect(stream.raw).toBe(`retry: 1000\ndata: {"type":"opened"}\nid: ${stream.ids[0]}\n\n`);
  const chat = await kernel.api.newChat();
  const following = await kernel.api.live(chat.id, '?follow=true');
  await expect.poll(() => following.raw).toBe('retry: 1000\n');
  following.hangUp();
});

test('[WIRE-2] attaches the same message after an event of its turn, and starts a turn for another message', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  const one = held({ text: 'one' });
  upstream.next(one.reply, says('two'), says('three'));
  const first = await api.turn(chat.id, { text: '1' });
  const seen = await api.turn(chat.id, { text: '2' });
  const queued = await seen.until('queued');
  const waits = { 'last-event-id': seen.ids[0] as string };
  // For a queued turn.
  const again = await api.turn(chat.id, { text: '2', mute: ['usage'] }, waits);
  expect([again.turnId, again.messageId, again.headers['x-resumed']]).toEqual([
    seen.turnId,
    seen.messageId,
    'true',
  ]);
  one.go();
  expect(textOf(await again.all())).toBe('two');
  expect(again.events).not.toContainEqual(queued);
  await seen.all();
  const end = { 'last-event-id': seen.ids.at(-1) as string };
  // At its end there is nothing left to read, and the client stops.
  const over = await api.turn(chat.id, { text: '2' }, end);
  await over.closed();
  expect([over.turnId, over.raw]).toEqual([seen.turnId, 'retry: 1000\n']);
  expect(await countOfTurns(chat.id)).toBe(2);
  // Some clients keep the id in their headers: a new text is a new message.
  const other = await api.turn(chat.id, { text: '3' }, end);
  expect([first.turnId, seen.turnId]).not.toContain(other.turnId);
  expect(textOf(await other.all())).toBe('three');
  expect(other.events.some(event => 'replayed' in event)).toBe(false);
});

test('[WIRE-2] starts a turn for an event of another chat and for a malformed id, and prefers a key to an event', async () => {
  const { api } = kernel;
  const [chat, other] = [await api.newChat(), await api.newChat()];
  const elsewhere = await api.turn(other.id, { text: 'Hi.' });
  await elsewhere.all();
  for (const id of [elsewhere.ids[0] as string, 'yesterday']) {
    const turn = await api.turn(chat.id, { text: 'Hi.' }, { 'last-event-id': id });
    expect(turn.headers['x-resumed']).toBe('false');
    await turn.all();
    const keyed = { 'idempotency-key': `of ${id}`, 'last-event-id': turn.ids[0] as string };
    const fresh = await api.turn(chat.id, { text: 'Hi.' }, keyed);
    expect(fresh.turnId).not.toBe(turn.turnId);
    await fresh.all();
  }
  expect(await countOfTurns(chat.id)).toBe(4);
});

test('[WIRE-3] sends a returning follower the rest of its turn, then every later turn completely and in order', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  const gone = await api.live(chat.id, '?follow=true');
  const gate = Promise.withResolvers<void>();
  upstream.next(
    { steps: [{ text: 'o' }, { wait: gate.promise }, { text: 'ne' }] },
    says('two'),
    says('three'),
    stuck({ text: 'four' }),
  );
  const one = await api.turn(chat.id, { text: '1' });
  await gone.until('item_started');
  const seen = gone.ids[0] as string;
  gone.hangUp();
  gate.resolve();
  const missed = [one];
  await one.all();
  for (const text of ['2', '3']) {
    const turn = await api.turn(chat.id, { text });
    await turn.all();
    missed.push(turn);
  }
  const running = await api.turn(chat.id, { text: '4' });
  await running.until('item_delta');
  const back = await api.live(chat.id, '?follow=true', { 'last-event-id': seen });
  expect(back.headers['x-resumed']).toBe('true');
  await back.until(event => event.type === 'text_delta' && event.text === 'four');
  await api.post(`/v1/chats/${chat.id}/cancel`);
  await running.all();
  await back.until(event => event.type === 'done' && event.turn_id === running.turnId);
  const whole = [...missed, running].flatMap(turn => turn.ids);
  expect(back.ids).toEqual(whole.slice(whole.indexOf(seen) + 1));
  expect(back.events.some(event => event.type === 'reset')).toBe(false);
  back.hangUp();
  // A client that has read everything continues with new events and misses nothing.
  const caught = await api.live(chat.id, '?follow=true', { 'last-event-id': whole.at(-1) as string });
  expect(caught.headers['x-resumed']).toBe('true');
  const next = await api.turn(chat.id, { text: '5' });
  await next.all();
  await caught.until('done');
  expect(caught.ids).toEqual(next.ids);
  caught.hangUp();
});

test('[WIRE-3] sends reset before the remaining turns if one is missing, and ignores a malformed id', async () => {
  const timers: { at: number; callback: () => void }[] = [];
  let now = Date.now();
  const clock = {
    now: () => now,
    after(ms: number, callback: () => void) {
      const timer = { at: now + ms, callback };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  };
  const pass = (ms: number) => {
    now += ms;
    for (const timer of timers.filter(({ at }) => at <= now)) {
      timers.splice(timers.indexOf(timer), 1);
      timer.callback();
    }
  };
  const { api } = await kernelOf({ clock });
  const chat = await api.newChat();
  const turns = [];
  for (const text of ['1', '2', '3']) {
    pass(25_000);
    const turn = await api.turn(chat.id, { text });
    await turn.all();
    turns.push(turn);
  }
  const [one, two, three] = turns as [(typeof turns)[0], (typeof turns)[0], (typeof turns)[0]];
  const follow = async (id: string, query = '') => {
    const stream = await api.live(chat.id, `?follow=true${query}`, { 'last-event-id': id });
    const end = await api.turn(chat.id, { text: 'end' });
    await end.all();
    await stream.until(event => event.type === 'done' && event.turn_id === end.turnId);
    stream.hangUp();
    return {
      ids: stream.ids.slice(0, -end.ids.length),
      events: stream.events,
      resumed: stream.headers['x-resumed'],
    };
  };
  // The first turn is dropped a minute after its end, and the others are still stored.
  pass(11_000);
  const seen = one.ids[1] as string;
  const late = await follow(seen);
  expect(late.events[0]).toEqual({ type: 'reset' });
  expect(late.ids).toEqual([seen, ...two.ids, ...three.ids]);
  expect([late.resumed, late.events[1]?.replayed]).toEqual(['false', true]);
  expect((await follow('yesterday')).ids).toEqual([]);
  expect((await follow(seen, '&mute=reset')).events[0]?.type).not.toBe('reset');
  // Long after the last turn, a client that has read its end has missed nothing.
  const last = await api.turn(chat.id, { text: '4' });
  await last.all();
  pass(61_000);
  const quiet = await follow(last.ids.at(-1) as string);
  expect([quiet.resumed, quiet.ids]).toEqual(['true', []]);
});
