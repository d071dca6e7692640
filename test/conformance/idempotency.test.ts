import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { comparable, foldItems } from '../harness/items.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { calls, held, says, textOf } from '../harness/story.ts';

const directory = temporaryDirectory();
let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel({ dataDir: directory.path });
});
afterAll(async () => {
  await kernel.stop();
  directory.remove();
});

const key = (name: string) => ({ 'idempotency-key': name });

test('[TURN-12] replays and follows a running turn on a repeat', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  const gate = Promise.withResolvers<void>();
  upstream.next({ steps: [{ text: 'be' }, { wait: gate.promise }, { text: 'fore' }] });
  const asked = upstream.requests.length;
  const first = await api.turn(chat.id, { text: 'Go.' }, key('a'));
  await first.until('text_delta');
  const again = await api.turn(chat.id, { text: 'Go.' }, key('a'));
  await again.until('text_delta');
  gate.resolve();
  expect([again.turnId, again.messageId]).toEqual([first.turnId, first.messageId]);
  const events = await again.all();
  expect(textOf(events)).toBe('before');
  expect(events.map(event => event.replayed === true).lastIndexOf(true)).toBeLessThan(events.length - 1);
  expect(events[0]?.replayed).toBe(true);
  expect((await first.all()).some(event => event.replayed)).toBe(false);
  expect(upstream.requests.length - asked).toBe(1);
});

test('[TURN-12] replays the whole turn on a repeat after its end', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  upstream.next(calls('call_1', 'plan', { tasks: [] }), says('Done.'));
  const first = await api.turn(chat.id, { text: 'Go.' }, key('a'));
  const events = await first.all();
  const asked = upstream.requests.length;
  const again = await (await api.turn(chat.id, { text: 'Go.' }, key('a'))).all();
  expect(again).toEqual(events.map(event => ({ ...event, replayed: true })));
  expect(upstream.requests.length).toBe(asked);
  expect((await api.items(chat.id)).filter(item => item.kind === 'user_message')).toHaveLength(1);
});

test('[TURN-12] resumes a repeat with Last-Event-ID after that event, and sets X-Resumed', async () => {
  const { api } = kernel;
  const chat = await api.newChat();
  const first = await api.turn(chat.id, { text: 'Go.' }, key('a'));
  const events = await first.all();
  expect(first.headers['x-resumed']).toBeUndefined();
  const repeat = (id: string) => api.turn(chat.id, { text: 'Go.' }, { ...key('a'), 'last-event-id': id });
  const rest = await repeat(first.ids[1] as string);
  expect(rest.headers['x-resumed']).toBe('true');
  expect(await rest.all()).toEqual(events.slice(2).map(event => ({ ...event, replayed: true })));
  const nothing = await repeat(first.ids.at(-1) as string);
  await nothing.closed();
  expect([nothing.headers['x-resumed'], nothing.events]).toEqual(['true', []]);
  const whole = await repeat('yesterday');
  expect([whole.headers['x-resumed'], (await whole.all()).length]).toEqual(['false', events.length]);
  // The first start has no stream to resume.
  const other = { ...key('b'), 'last-event-id': first.ids[1] as string };
  const fresh = await api.turn(chat.id, { text: 'Go.' }, other);
  expect(fresh.headers['x-resumed']).toBe('false');
  expect((await fresh.all()).some(event => event.replayed)).toBe(false);
});

test('[TURN-12] returns 409 for a key that was used for another request', async () => {
  const { api } = kernel;
  const chat = await api.newChat();
  await (await api.turn(chat.id, { text: 'Go.' }, key('a'))).all();
  const other = await api.post(`/v1/chats/${chat.id}/messages`, { text: 'Stop.' }, key('a'));
  expect([other.status, other.body.code]).toEqual([409, 'idempotency_mismatch']);
  expect((await api.items(chat.id)).filter(item => item.kind === 'user_message')).toHaveLength(1);
});

test('[TURN-12] scopes a key to its chat', async () => {
  const { api } = kernel;
  const chats = [await api.newChat(), await api.newChat()];
  const turns = await Promise.all(chats.map(chat => api.turn(chat.id, { text: 'Go.' }, key('same'))));
  expect(turns[0]?.turnId).not.toBe(turns[1]?.turnId);
  for (const turn of turns) expect((await turn.all()).some(event => event.replayed)).toBe(false);
});

test('[TURN-12] attaches a repeat to a queued turn in its place', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  const first = held({ text: 'one' });
  upstream.next(first.reply, says('two'));
  const running = await api.turn(chat.id, { text: '1' });
  const waiting = await api.turn(chat.id, { text: '2' }, key('w'));
  const again = await api.turn(chat.id, { text: '2', on_busy: 'queue' }, key('w'));
  expect(again.turnId).toBe(waiting.turnId);
  expect(await again.until('queued')).toEqual({ type: 'queued', position: 1, replayed: true });
  first.go();
  expect(textOf(await again.all())).toBe('two');
  await Promise.all([running.all(), waiting.all()]);
});

test('[TURN-12] replays a repeat from the store after a restart of the kernel', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  upstream.next(
    {
      steps: [
        { thinking: 'Hm.' },
        { text: 'Look.' },
        { call: { id: 'call_1', name: 'plan', input: { tasks: [] } } },
        { call: { id: 'call_2', name: 'nothing', input: {} } },
      ],
    },
    says('Done.'),
  );
  const first = await api.turn(chat.id, { text: 'Go.' }, key('r'));
  const events = await first.all();
  await kernel.stop();
  kernel = await startKernel({ dataDir: directory.path });

  const again = await kernel.api.turn(chat.id, { text: 'Go.' }, key('r'));
  expect([again.turnId, again.messageId]).toEqual([first.turnId, first.messageId]);
  const replayed = await again.all();
  expect(replayed.every(event => event.replayed === true)).toBe(true);
  expect(textOf(replayed)).toBe(textOf(events));
  expect(foldItems(replayed)).toEqual(foldItems(events));
  expect(comparable(await kernel.api.items(chat.id))).toEqual(comparable(foldItems(events)));
  expect(replayed.at(-1)).toEqual({ ...events.at(-1), replayed: true });
  expect(kernel.upstream.requests).toEqual([]);
  // Event ids of the old log refer to other events in the new one.
  const old = { ...key('r'), 'last-event-id': first.ids[2] as string };
  const confused = await kernel.api.turn(chat.id, { text: 'Go.' }, old);
  expect([confused.headers['x-resumed'], await confused.all()]).toEqual(['false', replayed]);
  const mismatch = await kernel.api.post(`/v1/chats/${chat.id}/messages`, { text: 'Else.' }, key('r'));
  expect(mismatch.status).toBe(409);
});
