/** Tests races between two awaits: simultaneous starts, ends and cancels. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Turn } from '@chat-kernel/protocol';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { allOf, type Core, calls, finish, openCore, says, tool, until } from './core.ts';

let core: Core;
let ran: string[];
const gates = new Map<string, PromiseWithResolvers<void>>();
let signals: AbortSignal[];
beforeEach(async () => {
  ran = [];
  signals = [];
  gates.clear();
  core = await openCore({
    tools: [
      tool('note', async () => {
        ran.push('note');
        return { output: 'noted' };
      }),
      tool('forever', (_input, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      }),
      tool('half', async () => ({ output: '\ud83d' })),
      tool('end', async () => ({ output: 'bye', ends_turn: true })),
      tool('late_plan', async (_input, context) => {
        await gate('late_plan');
        await context.setPlan([{ title: 'too late', status: 'pending' }]);
        return { output: '' };
      }),
    ],
  });
});
afterEach(() => core.close());

function gate(name: string): Promise<void> {
  const made = gates.get(name) ?? Promise.withResolvers<void>();
  gates.set(name, made);
  return made.promise;
}
const open = (name: string) => gates.get(name)?.resolve();
const chatId = async () => (await core.kernel.chats.create({})).id;
const start = (chat: string, text: string, key?: string) =>
  core.kernel.turns.start(chat, { text, on_busy: 'queue' }, key === undefined ? {} : { idempotencyKey: key });
const outcome = (chat: string, id: string): Promise<Turn> => core.kernel.turns.get(chat, id);

describe('[TURN-12] one turn of a chat at a time', () => {
  it('a reader of the chat during the write of a message does not hide its turn', async () => {
    const chat = await chatId();
    core.before.createTurn = () => gate('stored');
    core.scripts.push(async function* () {
      yield { type: 'text', text: 'one' };
      await gate('said');
      yield* says()();
    });
    const starting = start(chat, '1');
    await until(() => gates.has('stored'));
    expect(await core.kernel.turns.live(chat, { mute: new Set(), follow: false })).toBeNull();
    open('stored');
    const first = await starting;
    expect((await core.kernel.chats.get(chat)).turn).toEqual({
      id: first.turn_id,
      status: 'running',
      waiting_for: null,
    });
    const second = await start(chat, '2');
    expect((await outcome(chat, second.turn_id)).status).toBe('queued');
    await until(() => gates.has('said'));
    open('said');
    await allOf(second.feed);
  });

  it('sends the queued event of a turn that was stored as queued, even if it can start immediately', async () => {
    const chat = await chatId();
    core.scripts.push(async function* () {
      await gate('said');
      yield* says('one')();
    });
    const first = await start(chat, '1');
    core.before.createTurn = () => gate('stored');
    const starting = start(chat, '2');
    await until(() => gates.has('stored'));
    open('said');
    await allOf(first.feed);
    open('stored');
    const events = await allOf((await starting).feed);
    expect(events[0]).toEqual({ type: 'queued', position: 0 });
  });
});

describe('[TURN-10] cancel', () => {
  it('runs no tool after a cancel during the write of its call', async () => {
    const chat = await chatId();
    core.scripts.push(calls('note'));
    core.before.writeTurn = () => gate('stored');
    const { feed } = await start(chat, '1');
    await until(() => gates.has('stored'));
    const cancelled = core.kernel.turns.cancel(chat, { queued: false });
    open('stored');
    await cancelled;
    expect((await allOf(feed)).at(-1)).toMatchObject({ status: 'cancelled' });
    expect(ran).toEqual([]);
  });

  it('is too late once the end of a turn is being stored, and says so', async () => {
    const chat = await chatId();
    core.before.writeTurn = () => gate('stored');
    const { turn_id, feed } = await start(chat, '1');
    await until(() => gates.has('stored'));
    const answer = core.kernel.turns.cancel(chat, { queued: false });
    await new Promise(resolve => setImmediate(resolve));
    open('stored');
    expect(await answer).toEqual({ cancelled: false, turn_id: null });
    expect((await allOf(feed)).at(-1)).toMatchObject({ status: 'completed' });
    expect((await outcome(chat, turn_id)).status).toBe('completed');
  });

  it('ends the turn in time if the model does not react, and records its cost', async () => {
    const chat = await chatId();
    core.scripts.push(async function* () {
      yield { type: 'text', text: 'Words that were paid for.' };
      await gate('never');
    });
    const { feed } = await start(chat, '1');
    await until(() => gates.has('never'));
    const cancelled = core.kernel.turns.cancel(chat, { queued: false });
    await until(() => core.clock.timers.size > 0);
    for (let seconds = 0; seconds < 5; seconds++) {
      core.clock.advance(1000);
      await new Promise(resolve => setImmediate(resolve));
    }
    await cancelled;
    const events = await allOf(feed);
    expect(events.filter(({ type }) => type === 'usage')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
    expect(await core.kernel.chats.spend(chat)).toMatchObject({ turns: 1, completion_tokens: 7 });
    // The provider request that resumes afterwards changes nothing: it neither writes nor costs a second time.
    const written: unknown[] = [];
    core.before.writeTurn = write => written.push(write);
    core.clock.advance(10_000);
    open('never');
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(written).toEqual([]);
    core.clock.advance(60_000);
    await until(() => core.clock.timers.size <= 1);
  });

  it('ends the turn immediately if a tool never returns', async () => {
    const chat = await chatId();
    core.scripts.push(calls('forever'));
    const { feed } = await start(chat, '1');
    await until(() => signals.length > 0);
    await core.kernel.turns.cancel(chat, { queued: false });
    expect((await allOf(feed)).at(-1)).toMatchObject({ status: 'cancelled' });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('is confirmed for queued turns while the kernel stops, and the next start has no queued turns', async () => {
    const chat = await chatId();
    core.scripts.push(() => never());
    const first = await start(chat, '1');
    const second = await start(chat, '2');
    const stopped = core.kernel.shutdown(10);
    await new Promise(resolve => setImmediate(resolve));
    const answer = core.kernel.turns.cancel(chat, { queued: true });
    let over = false;
    void Promise.all([stopped, answer]).finally(() => {
      over = true;
    });
    await until(() => {
      core.clock.advance(1000);
      return over;
    });
    await stopped;
    const { turn_id, message_id } = second;
    expect(await answer).toEqual({
      cancelled: true,
      turn_id: first.turn_id,
      dropped: [{ turn_id, message_id, text: '2' }],
    });
    expect((await allOf(second.feed)).at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
    expect((await core.store.turns.get(chat, turn_id))?.status).toBe('cancelled');
  });

  it('[PLAN-1] ignores changes to the plan by a call that outlives its turn', async () => {
    const chat = await chatId();
    core.scripts.push(calls('late_plan'));
    await start(chat, '1');
    await until(() => gates.has('late_plan'));
    await core.kernel.turns.cancel(chat, { queued: false });
    open('late_plan');
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(await core.kernel.chats.plan(chat)).toEqual({ tasks: [] });
  });
});

it('aborts the sibling calls of a call that ends the turn', async () => {
  const chat = await chatId();
  core.scripts.push(calls('forever', 'end'));
  const { feed } = await start(chat, '1');
  expect((await allOf(feed)).at(-1)).toMatchObject({ status: 'completed', stop_reason: 'ends_turn' });
  expect(signals[0]?.aborted).toBe(true);
});

it('[TURN-12] waits on shutdown for a message that is being stored, and starts its turn completely', async () => {
  const chat = await chatId();
  core.before.createTurn = () => gate('stored');
  const starting = start(chat, '1');
  await until(() => gates.has('stored'));
  const stopped = core.kernel.shutdown(0);
  await new Promise(resolve => setImmediate(resolve));
  open('stored');
  const { turn_id, feed } = await starting;
  core.clock.advance(0);
  await until(() => {
    core.clock.advance(1000);
    return feed.closed;
  });
  await stopped;
  expect((await allOf(feed)).at(-1)).toMatchObject({ type: 'done' });
  expect((await outcome(chat, turn_id)).ended_at).not.toBeNull();
});

it('[TURN-12] accepts no message once the kernel is stopping, and gives running turns their time', async () => {
  const chat = await chatId();
  core.scripts.push(() => never());
  const { feed } = await start(chat, '1');
  const stopped = core.kernel.shutdown(10);
  await expect(start(chat, '2')).rejects.toMatchObject({ code: 'shutting_down' });
  await new Promise(resolve => setImmediate(resolve));
  core.clock.advance(9999);
  await new Promise(resolve => setImmediate(resolve));
  expect(feed.closed).toBe(false);
  await until(() => {
    core.clock.advance(1);
    return feed.closed;
  });
  await stopped;
});

it('[ITEM-8] joins a character that arrives in two pieces', async () => {
  const chat = await chatId();
  core.scripts.push(async function* () {
    yield { type: 'text', text: 'a\ud83d' };
    await new Promise(resolve => setTimeout(resolve, 5));
    yield { type: 'text', text: '\ude00b' };
    await new Promise(resolve => setTimeout(resolve, 5));
    yield { type: 'text', text: '\ud83d' };
    yield* says()();
  });
  const events = await allOf((await start(chat, '1')).feed);
  const texts = events.flatMap(event => (event.type === 'text_delta' ? [event.text] : []));
  expect(texts).toEqual(['a', '😀b', '\ufffd']);
  const { items } = await core.kernel.history.items(chat, { limit: 10 });
  expect(items.at(-1)).toMatchObject({ text: 'a😀b\ufffd' });
});

it('[HIST-3] removes half a character from provider requests, from a user, a call or a tool', async () => {
  const chat = await chatId();
  let told = '';
  core.scripts.push(
    async function* () {
      yield { type: 'call', id: 'c', name: 'half', input: { 'k\ude00': ['\ud83d', 1, null] } };
      yield finish('tools');
    },
    async function* (request) {
      told = JSON.stringify(request.messages);
      yield* says()();
    },
  );
  await allOf((await start(chat, 'a\ud83d')).feed);
  expect(told).toContain('"a\ufffd"');
  expect(told).toContain('{"k\ufffd":["\ufffd",1,null]}');
  expect(told).toContain('"output":"\ufffd"');
  expect(told).not.toContain('\\ud');
});

describe('[TURN-11] after a restart', () => {
  it('[EV-12] keeps the event numbers of a queued turn, so that a client resumes at its position', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'chat-kernel-'));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const first = await openCore({ dir });
    const { id } = await first.kernel.chats.create({});
    first.scripts.push(() => never());
    await first.kernel.turns.start(id, { text: '1', on_busy: 'queue' });
    const waiting = await first.kernel.turns.start(id, { text: '2', on_busy: 'queue' });
    const closing = first.close();
    await until(() => {
      first.clock.advance(1000);
      return waiting.feed.closed;
    });
    await closing;
    const before = await allOf(waiting.feed);
    expect(before).toEqual([{ type: 'queued', position: 1 }]);

    const second = await openCore({ dir });
    await until(async () => (await second.kernel.turns.get(id, waiting.turn_id)).ended_at !== null);
    const reader = await second.kernel.turns.live(id, {
      mute: new Set(),
      follow: false,
      after: `${waiting.turn_id}.0`,
    });
    expect(reader?.take()).toContain('"type":"item_started"');
    await second.close();
  });

  it('[CHAT-7] keeps the model name of a turn whose model was removed, and counts it', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'chat-kernel-'));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const first = await openCore({ dir });
    const { id } = await first.kernel.chats.create({});
    first.scripts.push(calls('none'), () => never());
    const { turn_id } = await first.kernel.turns.start(id, { text: '1', on_busy: 'queue' });
    await until(async () => (await first.store.turns.get(id, turn_id))?.usage.prompt_tokens === 10);
    await first.die();

    const second = await openCore({ dir, model: 'scripted/other' });
    expect(await second.kernel.turns.get(id, turn_id)).toMatchObject({
      status: 'failed',
      model: 'scripted/plain',
      usage: { prompt_tokens: 10 },
    });
    expect(await second.kernel.chats.spend(id)).toMatchObject({
      turns: 1,
      by_model: [{ model: 'scripted/plain' }],
    });
    await second.close();
  });
});

const never = (): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
});
