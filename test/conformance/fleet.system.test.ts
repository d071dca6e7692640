/** Tests several kernels on one Postgres as their clients see them (FLEET-1, FLEET-3, FLEET-6). */
import { afterAll, expect, test } from 'vitest';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import { says, stuck, textOf } from '../harness/story.ts';

afterAll(stopPostgres);

/** Limits a wait that may take a loaded machine a long time. */
const PATIENT = { timeout: 60_000, interval: 50 };

const turnOf = async (kernel: FleetKernel, chat: string) =>
  (await kernel.api.get(`/v1/chats/${chat}`)).body.turn;

test('[FLEET-1] [FLEET-6] any kernel accepts any request, unless its signature of another kernel is wrong, and names the kernel that did the work', async () => {
  const fleet = await openFleet();
  const [a, b] = [await fleet.start('left'), await fleet.start('right')];
  const { body: list } = await b.api.get('/v1/kernels');
  expect(list.kernels).toMatchObject([
    { id: a.id, url: a.url, name: 'left', turns: 0, here: true },
    { id: b.id, url: b.url, name: 'right', turns: 0, here: true },
  ]);

  const chat = await a.api.newChat();
  fleet.upstream.next(says('hello from the owner'));
  const stream = await b.api.turn(chat.id, { text: 'hi' });
  const events = await stream.closed().then(() => stream.events);
  expect(stream.headers['x-kernel']).toBe(a.id);
  expect(textOf(events)).toBe('hello from the owner');
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });

  // Any kernel serves history and lists.
  const items = await b.api.get(`/v1/chats/${chat.id}/items`);
  expect(items.headers['x-kernel']).toBe(b.id);
  expect(items.body.items.map((item: { kind: string }) => item.kind)).toEqual([
    'user_message',
    'agent_message',
  ]);
  const search = await b.api.get('/v1/search?q=owner');
  expect(search.headers['x-kernel']).toBe(b.id);
  expect((await b.api.get('/v1/chats')).body.chats.map(({ id }: { id: string }) => id)).toEqual([chat.id]);

  // Changes of a chat go to its owner, which also sends the errors.
  const patched = await b.api.patch(`/v1/chats/${chat.id}`, { title: 'Ours' });
  expect(patched).toMatchObject({ status: 200, body: { title: 'Ours' } });
  expect(patched.headers['x-kernel']).toBe(a.id);
  const wrong = await b.api.post(`/v1/chats/${chat.id}/messages`, { text: '' });
  expect(wrong).toMatchObject({ status: 400, body: { code: 'empty_message' } });
  expect(wrong.headers['x-request-id']).toBe(wrong.body.request_id);
  for (const header of [`${b.id}.${a.id}.${'A'.repeat(43)}`, `${b.id}.${b.id}.x`, 'anything']) {
    const body = { text: 'hi' };
    const refused = await a.api.post(`/v1/chats/${chat.id}/messages`, body, { 'x-kernel-hop': header });
    expect(refused).toMatchObject({ status: 503, body: { code: 'kernel_away' } });
  }

  // Another kernel than the owner follows, cancels and shows a turn.
  fleet.upstream.next(stuck({ text: 'thinking about it' }));
  const own = await a.api.turn(chat.id, { text: 'hi' });
  await own.until(event => event.type === 'text_delta');
  expect(await turnOf(b, chat.id)).toEqual({ id: own.turnId, status: 'running', waiting_for: null });
  const running = async () =>
    (await b.api.get('/v1/kernels')).body.kernels.map(({ turns }: { turns: number }) => turns);
  expect(await running()).toEqual([1, 0]);

  const live = await b.api.live(chat.id);
  await live.until(event => event.type === 'text_delta');
  const cancelled = await b.api.post(`/v1/chats/${chat.id}/cancel`);
  expect(cancelled.body).toEqual({ cancelled: true, turn_id: own.turnId });
  await live.closed();
  expect(live.events.at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
});

test('[FLEET-3] returns the chats of a stopping kernel, and continues their queues at another one', async () => {
  const fleet = await openFleet();
  const [a, b] = [await fleet.start(undefined, { server: { shutdown_grace_secs: 0 } }), await fleet.start()];
  const chat = await a.api.newChat();
  fleet.upstream.next(stuck({ text: 'first' }), says('second'));
  const first = await b.api.turn(chat.id, { text: 'one' });
  await first.until(event => event.type === 'text_delta');
  const queued = await b.api.turn(chat.id, { text: 'two' });
  await queued.until(event => event.type === 'queued');
  expect(await a.stop()).toEqual({ code: 0, signal: null });
  await queued.closed();
  expect(first.events.at(-1)).toMatchObject({ type: 'done', status: 'failed' });
  expect(textOf(queued.events)).toBe('second');
  expect(queued.events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
});

test('[FLEET-4] sends the events of all chats in one order with one set of ids, and resumes them at any kernel', async () => {
  const fleet = await openFleet();
  const [a, b] = [await fleet.start(), await fleet.start()];
  const atB = await b.api.events();
  await atB.until(event => event.type === 'opened');
  const atA = await a.api.events();
  await atA.until(event => event.type === 'opened');
  const chats = [await a.api.newChat(), await b.api.newChat()];
  await Promise.all(chats.map(({ id }) => a.api.say(id, 'hi')));
  const ended = (events: readonly { type: string }[]) =>
    events.filter(({ type }) => type === 'turn_ended').length;
  await expect.poll(() => [ended(atA.events), ended(atB.events)], PATIENT).toEqual([2, 2]);
  expect(atA.events.slice(1)).toEqual(atB.events.slice(1));
  expect(atA.ids.slice(1)).toEqual(atB.ids.slice(1));

  const resumed = await a.api.events({ 'last-event-id': atB.ids[2]! });
  await expect.poll(() => resumed.events.length, PATIENT).toBe(atB.events.length - 3);
  expect(resumed.events).toEqual(atB.events.slice(3));
  const c = await fleet.start();
  const late = await c.api.events({ 'last-event-id': atB.ids[2]! });
  await expect.poll(() => late.events.length, PATIENT).toBe(atB.events.length - 3);
  expect(late.ids).toEqual(atB.ids.slice(3));
});
