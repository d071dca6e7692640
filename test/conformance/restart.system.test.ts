/** Tests the real process, stopped and killed in the middle of turns: it loses no message and runs nothing twice. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { comparable, foldItems } from '../harness/items.ts';
import type { KernelOptions } from '../harness/kernel.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import type { Wanted } from '../harness/settings.ts';
import { calls, eventsOf, held, says, stuck, textOf } from '../harness/story.ts';
import { startUpstream, type Upstream } from '../upstream/server.ts';

const SYNTHETIC = '[cancelled] The turn ended before this call returned a result.';
const NOTE = '[restarted] The kernel stopped during this turn; what was unfinished was closed.';

let upstream: Upstream;
let directory: ReturnType<typeof temporaryDirectory>;
let kernel: KernelProcess;
beforeEach(async () => {
  upstream = await startUpstream();
  directory = temporaryDirectory();
});
afterEach(async () => {
  await kernel.kill();
  await upstream.close();
  directory.remove();
});

const start = async (more: KernelOptions = {}) => {
  kernel = await startKernelProcess({ upstream, dataDir: directory.path, ...more });
};
const grace = (shutdown_grace_secs: number): Wanted => ({ server: { shutdown_grace_secs } });

/** Waits until a turn has ended. */
async function outcome(chatId: string, turnId: string) {
  for (;;) {
    const body = await kernel.client.getTurn(chatId, turnId);
    if (body.ended_at !== null) return body;
    await sleep(20);
  }
}

test('[TURN-11] [EV-10] SIGTERM closes turns that exceed the grace period, and queued turns run after the restart', async () => {
  await start({ settings: grace(0.3) });
  const chat = await kernel.client.createChat();
  upstream.next(stuck({ text: 'Half' }));
  const running = await kernel.api.turn(chat.id, { text: '1' });
  await running.until('text_delta');
  const waiting = await kernel.api.turn(chat.id, { text: '2' });
  await waiting.until('queued');
  expect(await kernel.stop()).toEqual({ code: 0, signal: null });

  const events = await running.all();
  expect(eventsOf(events, 'error')).toMatchObject([{ code: 'kernel_restarted', retryable: true }]);
  expect(events.at(-1)).toMatchObject({ status: 'failed', stop_reason: 'kernel_restarted' });
  expect(await upstream.requests[0]?.ended).toBe('aborted');
  await waiting.closed();
  expect(waiting.events.map(event => event.type)).toEqual(['queued']);

  upstream.next(says('two'));
  await start();
  expect(await outcome(chat.id, running.turnId)).toMatchObject({
    status: 'failed',
    error: { code: 'kernel_restarted', retryable: true },
  });
  expect(await outcome(chat.id, waiting.turnId)).toMatchObject({ status: 'completed' });
  expect(
    (await kernel.client.items(chat.id)).map(item => [item.kind, item.status, 'text' in item && item.text]),
  ).toEqual([
    ['user_message', 'completed', '1'],
    ['agent_message', 'aborted', 'Half'],
    ['machine_note', 'completed', NOTE],
    ['user_message', 'completed', '2'],
    ['agent_message', 'completed', 'two'],
  ]);
  expect(comparable(foldItems(events))).toEqual(comparable((await kernel.client.items(chat.id)).slice(1, 3)));
  expect(upstream.requests).toHaveLength(2);
  expect(upstream.requests[1]?.rejected).toBeUndefined();
});

test('[TURN-11] [API-8] SIGTERM lets a turn end in the grace period, while the kernel answers but rejects new turns', async () => {
  await start({ settings: grace(10) });
  const chat = await kernel.client.createChat();
  const slow = held({ text: 'Done.' });
  upstream.next(slow.reply);
  const stream = await kernel.api.turn(chat.id, { text: 'Go.' });
  const stopped = kernel.stop();
  // Until the signal has arrived, the kernel refuses an empty message for being empty.
  let refused = await kernel.api.post(`/v1/chats/${chat.id}/messages`, {});
  for (; refused.status === 400; refused = await kernel.api.post(`/v1/chats/${chat.id}/messages`, {}))
    await sleep(5);
  expect([refused.status, refused.body.code]).toEqual([503, 'shutting_down']);
  expect((await kernel.client.getChat(chat.id)).turn).toEqual({
    id: stream.turnId,
    status: 'running',
    waiting_for: null,
  });
  slow.go();
  expect((await stream.all()).at(-1)).toMatchObject({ status: 'completed' });
  expect(await stopped).toEqual({ code: 0, signal: null });
  await start();
  expect(await outcome(chat.id, stream.turnId)).toMatchObject({ status: 'completed' });
});

test('[TURN-11] [TURN-12] [HIST-3] closes the turn after a kill, keeps its text, closes its calls, and runs nothing again', async () => {
  // With this provider API a call is complete before its response ends.
  await start({ kind: 'google' });
  const chat = await kernel.client.createChat();
  upstream.next(
    calls('call_1', 'plan', { tasks: [{ title: 'a', status: 'pending' }] }),
    stuck({ text: 'And' }, { call: { id: 'call_2', name: 'plan', input: { tasks: [] } } }),
  );
  const stream = await kernel.api.turn(chat.id, { text: 'Go.' }, { 'idempotency-key': 'k' });
  await stream.until(event => event.type === 'tool_call' && event.id === 'call_2');
  const waiting = await kernel.api.turn(chat.id, { text: 'Next.' });
  const talking = await kernel.client.createChat();
  upstream.next(stuck({ text: 'Half a' }));
  const half = await kernel.api.turn(talking.id, { text: 'Talk.' });
  await half.until('text_delta');
  const other = await kernel.client.createChat();
  // A 200 means that the message is on disk; the text of a step is written every two seconds.
  await sleep(4000);
  const fresh = await kernel.api.turn(other.id, { text: 'Still there?' });
  expect(await kernel.kill()).toEqual({ code: null, signal: 'SIGKILL' });
  await expect(stream.closed()).rejects.toThrow();
  expect(eventsOf(stream.events, 'done')).toEqual([]);

  const asked = upstream.requests.length;
  upstream.next(says('Went on.'));
  await start({ kind: 'google' });
  expect(await outcome(chat.id, stream.turnId)).toMatchObject({
    status: 'failed',
    error: { code: 'kernel_restarted', retryable: true },
    usage: { prompt_tokens: expect.any(Number) },
  });
  expect(await outcome(chat.id, waiting.turnId)).toMatchObject({ status: 'completed' });
  const items = await kernel.client.items(chat.id);
  expect(items).toMatchObject([
    { kind: 'user_message', text: 'Go.' },
    { kind: 'tool_call', call_id: 'call_1', status: 'completed', is_error: false },
    // The model had continued to its call, so this text was complete.
    { kind: 'agent_message', text: 'And', status: 'completed' },
    { kind: 'tool_call', call_id: 'call_2', status: 'aborted', output: SYNTHETIC, is_error: true },
    { kind: 'machine_note', note: 'kernel_restarted', text: NOTE },
    { kind: 'user_message', text: 'Next.' },
    { kind: 'agent_message', text: 'Went on.' },
  ]);
  expect(await kernel.client.items(talking.id)).toMatchObject([
    { kind: 'user_message' },
    { kind: 'agent_message', text: 'Half a', status: 'aborted' },
    { kind: 'machine_note', note: 'kernel_restarted' },
  ]);
  expect((await kernel.client.items(other.id))[0]).toMatchObject({
    kind: 'user_message',
    text: 'Still there?',
  });
  // The reply may arrive before the kill.
  expect((await outcome(other.id, fresh.turnId)).status).toMatch(/^(failed|completed)$/);
  // The plan was not closed: the kernel does not invent the result of a call that had not returned.
  expect((await kernel.client.getPlan(chat.id)).tasks).toHaveLength(1);

  const again = await (await kernel.api.turn(chat.id, { text: 'Go.' }, { 'idempotency-key': 'k' })).all();
  expect(again.at(-1)).toMatchObject({ status: 'failed', replayed: true });
  expect(comparable(foldItems(again))).toEqual(comparable(items.slice(0, 5)));
  expect(upstream.requests.length).toBe(asked + 1);
  expect(textOf(await kernel.client.say(chat.id, 'And now?'))).toBe('ok');
  expect(upstream.requests.filter(request => request.rejected)).toEqual([]);
});

test('[TURN-12] a second kernel rejects the data of the first', async () => {
  await start();
  await expect(startKernelProcess({ upstream, dataDir: directory.path })).rejects.toThrow(directory.path);
  expect((await kernel.client.listChats()).chats).toEqual([]);
});
