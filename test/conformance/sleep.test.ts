import type { Event } from '@chat-kernel/protocol';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { comparable, foldItems } from '../harness/items.ts';
import type { KeptEvents } from '../harness/kept-events.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { statusOf } from '../harness/status.ts';
import { held, shape, textOf, withoutItems } from '../harness/story.ts';

const HOUR = 60 * 60 * 1000;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const AWAKE = { asleep: false, since: null, until: null, reason: null, waiting: [] };

const types = ({ events }: KeptEvents<Event>) => events.map(({ type }) => type);

describe('a sleeping kernel', () => {
  let kernel: TestKernel;
  beforeEach(async () => {
    kernel = await startKernel();
  });
  afterEach(() => kernel.stop());

  test('[SLP-2] sends sleeping first, queues the turn, and runs it on the same stream after the wake', async () => {
    const { api, client, upstream } = kernel;
    expect(await client.getSleep()).toEqual(AWAKE);
    const slept = await api.post('/v1/sleep', { reason: 'night' });
    expect([slept.status, slept.body]).toEqual([
      200,
      { asleep: true, since: TIME, until: null, reason: 'night', waiting: [] },
    ]);
    const { since } = slept.body;
    const chat = await client.createChat();
    const stream = await api.turn(chat.id, { text: 'Hello.' });
    expect(await stream.until('sleeping')).toEqual({
      type: 'sleeping',
      since,
      until: null,
      reason: 'night',
    });
    expect(await statusOf(kernel, chat, stream.turnId)).toEqual(['sleeping', 'sleeping']);
    expect(await client.getTurn(chat.id, stream.turnId)).toMatchObject({
      started_at: null,
      ended_at: null,
    });
    const waiting = [{ chat_id: chat.id, turn_id: stream.turnId }];
    expect(await client.getSleep()).toEqual({ ...slept.body, waiting });
    const watching = await api.live(chat.id);
    expect(await watching.until('sleeping')).toMatchObject({ since, replayed: true });
    // The message is in history, and no model request was sent.
    expect(await client.items(chat.id)).toMatchObject([
      { kind: 'user_message', text: 'Hello.', waiting: true },
    ]);
    expect(upstream.requests).toEqual([]);

    expect(await client.wake()).toEqual({ woken: [stream.turnId] });
    const events = await stream.all();
    expect(shape(withoutItems(events))).toEqual(['sleeping', 'text_delta', 'usage', 'done']);
    expect((await watching.all()).at(-1)).toMatchObject({ type: 'done', status: 'completed' });
    expect(watching.ids).toEqual(stream.ids);
    expect(comparable(await client.items(chat.id))).toEqual(comparable(foldItems(events)));
    expect(await client.getSleep()).toEqual(AWAKE);
    // No turn is left to wake.
    expect(await client.wake()).toEqual({ woken: [] });
  });

  test('[SLP-2] [TURN-12] keeps the order of the turns of several chats and of one chat', async () => {
    const { client, upstream } = kernel;
    await client.sleep();
    const [one, two] = [await client.createChat(), await client.createChat()];
    const streams = [
      await client.begin(one.id, { text: 'a' }),
      await client.begin(two.id, { text: 'b' }),
      await client.begin(one.id, { text: 'c' }),
    ];
    for (const stream of streams) await stream.until('sleeping');
    await streams[2]?.until('queued');
    expect(types(streams[2]!)).toEqual(['sleeping', 'queued']);
    const waiting = (await client.getSleep()).waiting;
    const ids = streams.map(({ turnId }) => turnId).sort();
    expect(waiting.map(({ turn_id }: { turn_id: string }) => turn_id).sort()).toEqual(ids);
    const asked = upstream.requests.length;
    expect((await client.wake()).woken.sort()).toEqual(ids);
    for (const stream of streams) expect((await stream.all()).at(-1)).toMatchObject({ status: 'completed' });
    expect((await client.items(one.id)).map(item => 'text' in item && item.text)).toEqual([
      'a',
      'ok',
      'c',
      'ok',
    ]);
    expect(upstream.requests).toHaveLength(asked + 3);
  });

  test('[SLP-1] continues running turns, and delays queued and new ones', async () => {
    const { api, client, upstream } = kernel;
    const chat = await client.createChat();
    const slow = held({ text: 'one' });
    upstream.next(slow.reply);
    const running = await client.begin(chat.id, { text: '1' });
    const queued = await client.begin(chat.id, { text: '2' });
    await queued.until('queued');
    await client.sleep();
    expect(await statusOf(kernel, chat, running.turnId)).toEqual(['running', 'running']);
    expect(await statusOf(kernel, chat, queued.turnId)).toEqual(['running', 'sleeping']);
    slow.go();
    expect(textOf(await running.all())).toBe('one');
    await queued.until('sleeping');
    expect(await statusOf(kernel, chat, queued.turnId)).toEqual(['sleeping', 'sleeping']);
    // The chat is busy, as with a running turn.
    const refused = await api.post(`/v1/chats/${chat.id}/messages`, { text: '3', on_busy: 'reject' });
    expect([refused.status, refused.body.code]).toEqual([409, 'turn_running']);
    await client.wake();
    expect(shape(withoutItems(await queued.all()))).toEqual([
      'queued',
      'sleeping',
      'text_delta',
      'usage',
      'done',
    ]);
  });

  test('[SLP-1] [TURN-10] cancels a sleeping turn, and deletes it with its chat', async () => {
    const { client, upstream } = kernel;
    await client.sleep();
    const asked = upstream.requests.length;
    const chat = await client.createChat();
    const stream = await client.begin(chat.id, { text: 'Never mind.' });
    const behind = await client.begin(chat.id, { text: 'But this.' });
    expect(await client.cancelTurn(chat.id)).toEqual({
      cancelled: true,
      turn_id: stream.turnId,
    });
    expect((await stream.all()).at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
    // It had not begun, so it is dropped with its message.
    expect(await client.items(chat.id)).toMatchObject([
      { kind: 'user_message', text: 'But this.', waiting: true },
    ]);
    expect(await statusOf(kernel, chat, behind.turnId)).toEqual(['sleeping', 'sleeping']);
    await expect(client.deleteChat(chat.id)).rejects.toMatchObject({ code: 'turn_running' });
    await client.deleteChat(chat.id, { force: true });
    await behind.closed();
    expect(await client.getSleep()).toMatchObject({ asleep: true, waiting: [] });
    expect(await client.wake()).toEqual({ woken: [] });
    expect(upstream.requests).toHaveLength(asked);
  });

  test('[SLP-1] attaches a repeated start to the sleeping turn', async () => {
    const { api, client } = kernel;
    await client.sleep();
    const chat = await client.createChat();
    const key = { 'idempotency-key': 'k' };
    const first = await api.turn(chat.id, { text: 'Once.' }, key);
    const second = await api.turn(chat.id, { text: 'Once.' }, key);
    expect(second.turnId).toBe(first.turnId);
    expect(await second.until('sleeping')).toMatchObject({ replayed: true });
    expect(await client.wake()).toEqual({ woken: [first.turnId] });
    await Promise.all([first.all(), second.all()]);
    expect(second.ids).toEqual(first.ids);
  });

  test('[SLP-3] requires until to be a future time, and rejects anything else', async () => {
    const { api, client } = kernel;
    const over = await api.post('/v1/sleep', { until: '2020-01-01T00:00:00Z' });
    expect([over.status, over.body.code, over.body.errors]).toEqual([
      400,
      'invalid_value',
      [{ pointer: '/until', detail: expect.any(String) }],
    ]);
    for (const body of [{ until: 'tomorrow' }, { until: 5 }, { reason: '' }]) {
      expect((await api.post('/v1/sleep', body)).status).toBe(422);
    }
    expect(await client.getSleep()).toEqual(AWAKE);
  });

  test('[SLP-1] [SLP-2] sends sleep and wake on GET /v1/events', async () => {
    const { client } = kernel;
    const stream = await client.watchAll();
    onTestFinished(() => stream.hangUp());
    await client.sleep({ reason: 'a', until: '2999-01-01T01:00:00+01:00' });
    await client.sleep();
    await client.wake();
    await stream.until(event => event.type === 'sleep_changed' && !event.asleep);
    const asleep = { type: 'sleep_changed', asleep: true, since: TIME };
    expect(stream.events).toEqual([
      { type: 'opened' },
      { ...asleep, until: '2999-01-01T00:00:00.000Z', reason: 'a' },
      { ...asleep, until: null, reason: null },
      { type: 'sleep_changed', asleep: false, since: null, until: null, reason: null },
    ]);
  });
});

describe('a kernel that wakes by the clock', () => {
  test('[SLP-3] wakes automatically at until', async () => {
    const clock = new ManualClock();
    const kernel = await kernelOf({ clock });
    const { client } = kernel;
    const until = '2026-01-01T03:00:00.000Z';
    expect(await client.sleep({ until })).toEqual({
      asleep: true,
      since: '2026-01-01T00:00:00.000Z',
      until,
      reason: null,
      waiting: [],
    });
    const chat = await client.createChat();
    const stream = await client.begin(chat.id, { text: 'Hello.' });
    expect(await stream.until('sleeping')).toMatchObject({ until });
    clock.advance(3 * HOUR - 1);
    expect(await statusOf(kernel, chat, stream.turnId)).toEqual(['sleeping', 'sleeping']);
    clock.advance(1);
    expect(textOf(await stream.all())).toBe('ok');
    expect(await client.getSleep()).toEqual(AWAKE);
  });

  test('[SLP-3] follows its schedule in its time zone', async () => {
    const clock = new ManualClock();
    // In Kolkata it is half past five.
    const settings = { sleep: { schedule: '23:00-07:00', timezone: 'Asia/Kolkata' } };
    const kernel = await kernelOf({ clock, settings });
    const { client } = kernel;
    const night = (day: string) => ({
      asleep: true,
      since: TIME,
      until: `2026-01-${day}T01:30:00.000Z`,
      reason: 'schedule',
      waiting: [],
    });
    const state = async () => await client.getSleep();
    expect(await state()).toEqual(night('01'));
    const changes = await client.watchAll();
    onTestFinished(() => changes.hangUp());
    clock.advance(1.5 * HOUR);
    await changes.until('sleep_changed');
    expect(await state()).toEqual(AWAKE);
  });

  test('[SLP-3] refuses to start with invalid hours or time zones', async () => {
    for (const [sleep, wrong] of [
      [{ schedule: '11pm' }, /sleep\.schedule: expected hours such as/],
      [{ schedule: '08:00-08:00' }, /sleep\.schedule: .*never wake/],
      [{ timezone: 'Moon' }, /sleep\.timezone: expected the name of a time zone/],
    ] as const) {
      await expect(startKernel({ settings: { sleep } })).rejects.toThrow(wrong);
    }
  });
});
