/** Tests failed writes: their content is not lost, nothing stays running, and every stream ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ModelEvent, ModelRequest } from '../src/index.ts';
import { allOf, type Core, calls, finish, LOST, openCore, says, tool, until } from './core.ts';

let core: Core;
const tools = [tool('note', async () => ({ output: 'noted' }))];
beforeEach(async () => {
  core = await openCore({ tools });
});
afterEach(() => core.close());

const newChat = async () => (await core.kernel.chats.create({})).id;
const start = (chat: string, text: string, idempotencyKey = text) =>
  core.kernel.turns.start(chat, { text, on_busy: 'queue' }, { idempotencyKey });
const kinds = async (chat: string) =>
  (await core.kernel.history.items(chat, { limit: 50 })).items.map(item =>
    'text' in item ? item.text : item.kind === 'tool_call' ? item.output : item.kind,
  );

/** Makes the writes with these numbers fail; the first write is 0. */
function failing(...numbers: number[]): void {
  let n = 0;
  core.before.writeTurn = () => {
    if (numbers.includes(n++)) throw new Error('database or disk is full');
  };
}

const USED = { completion_tokens: 5, reasoning_tokens: 0, cached_tokens: 0 };
const NOTE = '[failed] This turn ended with an error. Internal error.';

it('stores the reply of a step with the end of the turn if its write failed', async () => {
  const chat = await newChat();
  core.scripts.push(async function* () {
    yield { type: 'text', text: 'Look.' };
    yield* calls('note')();
  });
  failing(0);
  const events = await allOf((await start(chat, 'Go.')).feed);
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'failed' });
  const { items } = await core.kernel.history.items(chat, { limit: 50 });
  expect(items).toMatchObject([
    { kind: 'user_message' },
    { text: 'Look.' },
    { kind: 'tool_call', status: 'aborted' },
    { kind: 'machine_note', text: NOTE },
  ]);
  expect(await core.kernel.chats.spend(chat)).toMatchObject({ turns: 1, prompt_tokens: 10 });
});

it('stores the results of a step with the end of the turn if their write failed', async () => {
  const chat = await newChat();
  core.scripts.push(calls('note'));
  failing(1);
  await allOf((await start(chat, 'Go.')).feed);
  expect(await kinds(chat)).toEqual(['Go.', 'noted', NOTE]);
});

it('stores a queued message at its position although the first write failed', async () => {
  const chat = await newChat();
  const gate = Promise.withResolvers<void>();
  core.scripts.push(async function* () {
    await gate.promise;
    yield* says('one')();
  });
  await start(chat, '1');
  const { feed } = await start(chat, '2');
  failing(1);
  gate.resolve();
  expect((await allOf(feed)).at(-1)).toMatchObject({ status: 'failed' });
  expect(await kinds(chat)).toEqual(['1', 'one', '2', NOTE]);
});

it('[SAFE-4] continues a step if its checkpoint fails', async () => {
  await core.close();
  core = await openCore({ tools, alone: false });
  const chat = await newChat();
  const gate = Promise.withResolvers<void>();
  let waits = false;
  core.scripts.push(calls('note'), async function* () {
    yield { type: 'text', text: 'Half' };
    waits = true;
    await gate.promise;
    yield* says(' whole')();
  });
  core.before.checkpoint = () => {
    throw new Error('database or disk is full');
  };
  const { feed } = await start(chat, 'Go.');
  await until(() => waits);
  core.clock.advance(250);
  await until(() => core.logged.includes('a checkpoint failed'));
  gate.resolve();
  expect((await allOf(feed)).at(-1)).toMatchObject({ status: 'completed' });
  expect(await core.kernel.chats.spend(chat)).toMatchObject({
    turns: 1,
    prompt_tokens: 20,
    completion_tokens: 10,
  });
});

it('does not repeat a write whose acknowledgment was lost', async () => {
  const chat = await newChat();
  core.scripts.push(calls('note'));
  let n = 0;
  core.before.writeTurn = () => (n++ === 1 ? LOST : undefined);
  await allOf((await start(chat, 'Go.')).feed);
  expect(await kinds(chat)).toEqual(['Go.', 'noted', NOTE]);
  expect(await core.kernel.chats.spend(chat)).toMatchObject({ turns: 1, prompt_tokens: 10 });
  let heard: ModelRequest['messages'] = [];
  core.scripts.push(request => {
    heard = request.messages;
    return says('ok')();
  });
  await allOf((await start(chat, 'And now?')).feed);
  expect(await kinds(chat)).toEqual(['Go.', 'noted', NOTE, 'And now?', 'ok']);
  expect(heard.flatMap(({ content }) => content)).toContainEqual(
    expect.objectContaining({ type: 'tool_result', output: 'noted', is_error: false }),
  );
});

it('stores the original end of a turn on the second attempt', async () => {
  const chat = await newChat();
  failing(0);
  expect((await allOf((await start(chat, 'Go.')).feed)).at(-1)).toMatchObject({ status: 'completed' });
  expect(await kinds(chat)).toEqual(['Go.', 'ok']);
  expect(await core.kernel.chats.spend(chat)).toMatchObject({ turns: 1, prompt_tokens: 10 });
});

it('[HIST-1] stores a compaction with the end of the turn if its write failed, and stream and history agree', async () => {
  await core.close();
  core = await openCore({ tools, context_window: 4000 });
  const chat = await newChat();
  await allOf((await start(chat, '1')).feed);
  core.scripts.push(async function* () {
    yield { type: 'text', text: 'two' };
    yield { ...finish(), usage: { ...USED, prompt_tokens: 3900 } } as ModelEvent;
  }, says('## Goal\nTea.'));
  failing(1);
  const events = await allOf((await start(chat, '2')).feed);
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'failed' });
  const live = events.flatMap(event => (event.type === 'item_completed' ? [event.item.kind] : []));
  expect(live).toEqual(['agent_message', 'compaction', 'machine_note']);
  expect(await kinds(chat)).toEqual(['1', 'ok', '2', 'two', 'compaction', NOTE]);
  expect(await core.kernel.chats.get(chat)).toMatchObject({
    summary: { text: expect.stringContaining('Tea.') },
  });
  let told = '';
  core.scripts.push(async function* (request) {
    told = JSON.stringify(request.messages);
    yield* says('three')();
  });
  await allOf((await start(chat, '3')).feed);
  expect(told).toMatch(/Tea\..*"2".*"two".*"3"/);
});

it('[HIST-1] [CHAT-7] records and charges a manual compaction once if its write only seemed to fail', async () => {
  const chat = await newChat();
  for (const text of ['1', '2']) await allOf((await start(chat, text)).feed);
  core.scripts.push(says('## Goal\nTea.'));
  const { chats } = core.store;
  const { write } = chats;
  chats.write = async change => {
    await write(change);
    throw new Error('the connection broke');
  };
  await expect(core.kernel.history.compact(chat)).rejects.toThrow('broke');
  chats.write = write;
  expect(await core.kernel.chats.spend(chat)).toMatchObject({ turns: 2, prompt_tokens: 30 });
  let told = '';
  core.scripts.push(async function* (request) {
    told = JSON.stringify(request.messages);
    yield* says('three')();
  });
  await allOf((await start(chat, '3')).feed);
  expect(told).toMatch(/Tea\..*"2".*"ok".*"3"/);
});

it('[TURN-12] reports a turn as ended if its end cannot be stored, and stores it before the chat continues', async () => {
  const chat = await newChat();
  core.before.writeTurn = () => {
    throw new Error('database or disk is full');
  };
  const first = await start(chat, '1');
  const events = await allOf(first.feed);
  expect(events.slice(-2)).toMatchObject([
    { type: 'error', code: 'internal' },
    { type: 'done', status: 'failed' },
  ]);
  expect((await core.kernel.chats.get(chat)).turn).toBeNull();
  expect(await core.kernel.turns.get(chat, first.turn_id)).toMatchObject({
    status: 'failed',
    error: { code: 'internal' },
  });
  await expect(start(chat, '2')).rejects.toThrow('full');

  core.before.writeTurn = undefined as never;
  await allOf((await start(chat, '2')).feed);
  expect(await kinds(chat)).toEqual(['1', 'ok', '2', 'ok']);
  expect(await core.kernel.turns.get(chat, first.turn_id)).toMatchObject({ status: 'failed' });
  expect(await core.kernel.chats.spend(chat)).toMatchObject({ turns: 2, prompt_tokens: 20 });
});

it('[TURN-11] reports a turn whose end was never stored as interrupted after a restart', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'chat-kernel-'));
  await core.close();
  core = await openCore({ tools, dir });
  const chat = await newChat();
  core.before.writeTurn = () => {
    throw new Error('database or disk is full');
  };
  const { turn_id, feed } = await start(chat, '1');
  await allOf(feed);
  await core.close();
  core = await openCore({ tools, dir });
  expect(await core.kernel.turns.get(chat, turn_id)).toMatchObject({ error: { code: 'kernel_restarted' } });
  await core.close();
  rmSync(dir, { recursive: true });
  core = await openCore({ tools });
});
