/**
 * Tests /live: a client that connects later gets the whole turn, marked as replay, and then the same events as the
 * others.
 */
import type { TurnEvent } from '@chat-kernel/client';
import { expect, test } from 'vitest';
import { foldItems } from '../harness/items.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { held, says, stuck, textOf } from '../harness/story.ts';

const kernel = sharedKernel();

/** A turn that has sent `be` and sends `fore` on command. */
async function halfWay() {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  const gate = Promise.withResolvers<void>();
  upstream.next({ steps: [{ text: 'be' }, { wait: gate.promise }, { text: 'fore' }] });
  const stream = await api.turn(chat.id, { text: 'Go.' });
  await stream.until('item_delta');
  return { chat, stream, go: gate.resolve };
}

test('[EV-12] replays earlier events with the mark, and sends new ones without it', async () => {
  const { chat, stream, go } = await halfWay();
  const watching = await kernel.api.live(chat.id);
  await watching.until('item_delta');
  const before = watching.events.length;
  go();
  const events = await watching.all();
  expect(events.slice(0, before).every(event => event.replayed === true)).toBe(true);
  expect(events.slice(before).some(event => 'replayed' in event)).toBe(false);
  const original = await stream.all();
  expect(original.some(event => 'replayed' in event)).toBe(false);
  expect(events.map(({ replayed: _, ...event }) => event)).toEqual(original);
  expect(watching.ids).toEqual(stream.ids);
});

test('[EV-12] returns 204 without a turn', async () => {
  const { api } = kernel;
  const chat = await api.newChat();
  expect((await api.get(`/v1/chats/${chat.id}/live`)).status).toBe(204);
  await api.say(chat.id, 'Hi.');
  expect((await api.get(`/v1/chats/${chat.id}/live`)).status).toBe(204);
  expect((await api.get('/v1/chats/01900000-0000-7000-8000-000000000000/live')).status).toBe(404);
});

test('[EV-12] leaves out muted types, in the replay and after it', async () => {
  const { chat, go } = await halfWay();
  const items = await kernel.api.live(chat.id, '?mute=turn,text_delta,usage,done');
  const originals = await kernel.api.live(chat.id, '?mute=turn,item_started,item_delta,item_completed');
  const unknown = await kernel.api.live(chat.id, '?mute=turn,text_delta,noise');
  expect(unknown.status).toBe(200);
  unknown.hangUp();
  const long = await kernel.api.get(`/v1/chats/${chat.id}/live?mute=${Array(101).fill('noise')}`);
  expect([long.status, long.body.code]).toEqual([400, 'invalid_value']);
  go();
  const events = await originals.all();
  expect(events.map(event => event.type)).toEqual(['text_delta', 'text_delta', 'usage', 'done']);
  await items.closed();
  expect(new Set(items.events.map(event => event.type))).toEqual(
    new Set(['item_started', 'item_delta', 'item_completed']),
  );
  expect(foldItems(items.events)).toMatchObject([{ kind: 'agent_message', text: textOf(events) }]);
});

test('[EV-12] [EV-11] leaves the same muted types out of every turn that is followed', async () => {
  const { api } = kernel;
  const { chat, stream: first, go } = await halfWay();
  const muted = 'turn,text_delta,usage,item_started,item_delta,item_completed';
  const following = await api.live(chat.id, `?follow=true&mute=${muted}`);
  go();
  await first.all();
  for (const text of ['2', '3']) await (await api.turn(chat.id, { text })).all();
  await expect.poll(() => following.events.filter(({ type }) => type === 'done').length).toBe(3);
  expect(following.events.map(({ type }) => type)).toEqual(['done', 'done', 'done']);
  following.hangUp();
});

test('[EV-12] skips the events up to Last-Event-ID, and ignores a malformed one', async () => {
  const { chat, stream, go } = await halfWay();
  const seen = stream.ids[1] as string;
  const resumed = await kernel.api.live(chat.id, '', { 'last-event-id': seen });
  const confused = await kernel.api.live(chat.id, '', { 'last-event-id': 'yesterday' });
  const foreign = await kernel.api.live(chat.id, '', {
    'last-event-id': '01900000-0000-7000-8000-000000000000.1',
  });
  await resumed.until('item_delta');
  go();
  await stream.all();
  await resumed.all();
  expect(resumed.ids).toEqual(stream.ids.slice(2));
  expect(resumed.events[0]?.replayed).toBe(true);
  for (const whole of [confused, foreign]) {
    await whole.all();
    expect(whole.ids).toEqual(stream.ids);
  }
});

test('[EV-12] reports in X-Resumed whether the stream continues after Last-Event-ID or starts from the beginning', async () => {
  const { chat, stream, go } = await halfWay();
  const saidOf = async (id?: string, query = '') => {
    const headers: Record<string, string> = id === undefined ? {} : { 'last-event-id': id };
    const watching = await kernel.api.live(chat.id, query, headers);
    watching.hangUp();
    return watching.headers['x-resumed'];
  };
  const seen = stream.ids[1] as string;
  const foreign = '01900000-0000-7000-8000-000000000000.1';
  for (const query of ['', '?follow=true', '?mute=text_delta']) {
    expect(await saidOf(undefined, query)).toBeUndefined();
    expect(await saidOf(seen, query)).toBe('true');
    for (const id of ['yesterday', foreign, seen.replace(/\d+$/, '999')]) {
      expect([id, await saidOf(id, query)]).toEqual([id, 'false']);
    }
  }
  go();
  await stream.all();
  // The end is stored for a while; a client that has seen it continues with later turns.
  expect(await saidOf(seen)).toBe('true');
  expect(await saidOf(stream.ids.at(-1), '?follow=true')).toBe('true');
});

test('[EV-12] sends the end to a client that lost its connection shortly before', async () => {
  const { chat, stream, go } = await halfWay();
  const seen = stream.ids.at(-1) as string;
  stream.hangUp();
  const watching = await kernel.api.live(chat.id);
  go();
  await watching.all();
  const late = await kernel.api.live(chat.id, '', { 'last-event-id': seen });
  expect((await late.all()).at(-1)).toMatchObject({ type: 'done', status: 'completed', replayed: true });
  expect(late.ids).toEqual(watching.ids.slice(watching.ids.indexOf(seen) + 1));
  // A reader that has seen the end gets an empty response.
  const end = { 'last-event-id': watching.ids.at(-1) as string };
  expect((await kernel.api.get(`/v1/chats/${chat.id}/live`, end)).status).toBe(204);
});

test('[EV-12] follow=true continues with later turns', async () => {
  const { api, client } = kernel;
  const chat = await api.newChat();
  const following = await api.live(chat.id, '?follow=true');
  const followed: TurnEvent[] = [];
  const leaving = new AbortController();
  const open = Promise.withResolvers<void>();
  const { signal } = leaving;
  const reading = (async () => {
    const events = client.live(chat.id, { follow: true, signal, onConnection: () => open.resolve() });
    for await (const event of events) followed.push(event);
  })();
  await open.promise;
  const first = await api.turn(chat.id, { text: '1' });
  await first.all();
  const second = await api.turn(chat.id, { text: '2' });
  await second.all();
  await following.until(event => event.type === 'done' && event.turn_id === second.turnId);
  expect(following.ids).toEqual([...first.ids, ...second.ids]);
  expect(following.events.some(event => 'replayed' in event)).toBe(false);
  following.hangUp();
  await expect.poll(() => followed.length).toBe(following.events.length);
  leaving.abort(new Error('seen enough'));
  await expect(reading).rejects.toThrow('seen enough');
  const bare = ({ replayed: _, ...event }: TurnEvent & { replayed?: true }) => event;
  expect(followed.map(bare)).toEqual(following.events.map(bare));
});

test('[EV-12] [TURN-12] hides queued turns from a viewer of a running turn, and sends them next with follow', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  const one = held({ text: 'one' });
  upstream.next(one.reply, says('two'));
  const first = await api.turn(chat.id, { text: '1' });
  const second = await api.turn(chat.id, { text: '2' });
  const watching = await api.live(chat.id);
  const following = await api.live(chat.id, '?follow=true');
  one.go();
  expect(textOf(await watching.all())).toBe('one');
  await following.until(event => event.type === 'done' && event.turn_id === second.turnId);
  expect(textOf(following.events)).toBe('onetwo');
  expect(new Set(following.ids).size).toBe(following.ids.length);
  following.hangUp();
  await Promise.all([first.all(), second.all()]);
});

test('[TURN-11] continues a turn after its stream is closed', async () => {
  const { chat, stream, go } = await halfWay();
  stream.hangUp();
  const watching = await kernel.api.live(chat.id);
  go();
  expect(textOf(await watching.all())).toBe('before');
  expect((await kernel.api.items(chat.id)).at(-1)).toMatchObject({ text: 'before', status: 'completed' });
  const turn = await kernel.api.get(`/v1/chats/${chat.id}/turns/${stream.turnId}`);
  expect(turn.body.status).toBe('completed');
});

test('[TURN-11] runs a queued turn without a connected client', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  const one = held({ text: 'one' });
  upstream.next(one.reply, says('two'));
  const first = await api.turn(chat.id, { text: '1' });
  const second = await api.turn(chat.id, { text: '2' });
  const following = await api.live(chat.id, '?follow=true');
  first.hangUp();
  second.hangUp();
  one.go();
  await following.until(event => event.type === 'done' && event.turn_id === second.turnId);
  expect((await api.items(chat.id)).map(item => 'text' in item && item.text)).toEqual([
    '1',
    'one',
    '2',
    'two',
  ]);
  following.hangUp();
});

test('[EV-12] sends a cancel to every viewer', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  upstream.next(stuck({ text: 'Well' }));
  const stream = await api.turn(chat.id, { text: 'Go.' });
  await stream.until('item_delta');
  const viewers = await Promise.all(Array.from({ length: 5 }, () => api.live(chat.id)));
  await api.post(`/v1/chats/${chat.id}/cancel`);
  await stream.all();
  for (const viewer of viewers) {
    expect((await viewer.all()).at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
    expect(viewer.ids).toEqual(stream.ids);
  }
});
