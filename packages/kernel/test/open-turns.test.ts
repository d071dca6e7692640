/**
 * Tests when clients can be asked: from the start of their turn until its end, while the caller waits for the response.
 */
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { BeginContext } from '../src/index.ts';
import { allOf, type Core, calls, openCore, says, tool, until } from './core.ts';

const BYTES = { path: '/b', offset: 0, size: 1 };
const HANDS = { text: 'Go.', client_ops: true, on_busy: 'queue' } as const;

let core: Core;
let chat: string;
beforeEach(async () => {
  core = await openCore();
  chat = (await core.kernel.chats.create({})).id;
});

const pending = () => core.kernel.operations.pending().requests;
/** Resolves with the code of the error with which the call ends. */
const read = (gone?: AbortSignal): Promise<unknown> =>
  core.kernel.operations.readClientBytes(chat, BYTES, gone).catch(({ code }) => code);

/** A model that says nothing until it is released. */
function silence(): () => void {
  const go = Promise.withResolvers<void>();
  core.scripts.push(async function* () {
    await go.promise;
    yield* says('Done.')();
  });
  return go.resolve;
}

describe('[OP-12] [OP-4] a client operation', () => {
  it('is not sent in a queued or starting turn, whose speaker is unknown', async () => {
    onTestFinished(() => core.close());
    const go = silence();
    const first = await core.kernel.turns.start(chat, { text: 'Go.', on_busy: 'queue' });
    const second = await core.kernel.turns.start(chat, HANDS);
    expect(await read()).toBe('no_client');

    const [placed, speak] = [Promise.withResolvers<void>(), silence()];
    const answers: unknown[] = [];
    core.before.writeTurn = async (write: unknown) => {
      if ((write as { turn_id: string }).turn_id !== second.turn_id || answers.length > 0) return;
      answers.push(await read());
      placed.resolve();
    };
    go();
    await placed.promise;
    expect(answers).toEqual(['no_client']);

    await until(() => core.scripts.length === 0);
    const asked = read();
    await until(() => pending().length === 1);
    expect(pending()).toMatchObject([{ event: { decisions: { length: 4 } } }]);
    speak();
    await Promise.all([allOf(first.feed), allOf(second.feed)]);
    expect(await asked).toBe('no_client');
  });

  it('is withdrawn for an aborted caller, and not sent afterwards', async () => {
    onTestFinished(() => core.close());
    const go = silence();
    const turn = await core.kernel.turns.start(chat, HANDS);
    await until(() => core.scripts.length === 0);
    const gone = new AbortController();
    const asked = read(gone.signal);
    await until(() => pending().length === 1);
    gone.abort();
    expect(pending()).toEqual([]);
    expect(await asked).toBe('no_client');
    expect(await read(gone.signal)).toBe('no_client');
    expect(pending()).toEqual([]);
    go();
    const events = await allOf(turn.feed);
    const ends = events.filter(({ type }) => type === 'request_resolved');
    expect(ends).toMatchObject([{ reason: 'turn_ended' }, { reason: 'turn_ended' }]);
    expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  });

  it('is not sent after the kernel stops: an open one ends with its turn', async () => {
    silence();
    const turn = await core.kernel.turns.start(chat, HANDS);
    await until(() => core.scripts.length === 0);
    const asked = read();
    await until(() => pending().length === 1);
    const closed = core.close();
    await until(() => {
      core.clock.advance(1000);
      return turn.feed.closed;
    });
    await closed;
    expect([await asked, pending()]).toEqual(['no_client', []]);
    const told = (await allOf(turn.feed)).map(({ type }) => type);
    expect(told.filter(type => type === 'request_resolved')).toHaveLength(1);
    expect(told.at(-1)).toBe('done');
  });

  it('is not sent after its chat is deleted', async () => {
    onTestFinished(() => core.close());
    silence();
    const turn = await core.kernel.turns.start(chat, HANDS);
    await until(() => core.scripts.length === 0);
    const asked = read();
    await until(() => pending().length === 1);
    const [open] = pending();
    const deleted = core.kernel.chats.delete(chat, { force: true });
    await until(() => {
      core.clock.advance(1000);
      return turn.feed.closed;
    });
    await deleted;
    expect([await asked, await read(), pending()]).toEqual(['no_client', 'not_found', []]);
    const answer = { id: open?.id as string, result: { total: 1, data: '' }, decision: 'allow_always' };
    expect(() => core.kernel.operations.answer(chat, answer)).toThrow(/already closed/);
    expect(core.kernel.operations.approvals().approvals).toEqual([]);
  });
});

it('[EV-13] opens no request for a background task of a call after its turn', async () => {
  const left = Promise.withResolvers<BeginContext>();
  const asking = {
    ...tool('asking', async () => ({ output: '' })),
    begin(input: object, context: BeginContext) {
      left.resolve(context);
      return { input: { ...input }, output: Promise.resolve({ output: 'asked' }) };
    },
  };
  await core.close();
  core = await openCore({ tools: [asking] });
  onTestFinished(() => core.close());
  chat = (await core.kernel.chats.create({})).id;
  core.scripts.push(calls('asking'));
  await allOf((await core.kernel.turns.start(chat, { text: 'Go.', on_busy: 'queue' })).feed);
  const { request, call_id } = await left.promise;
  const event = { type: 'extra_tool_call', id: call_id, name: 'asking', input: {} } as const;
  expect(() => request({ kind: 'op', event, timeout_secs: 10 })).toThrow();
  expect(pending()).toEqual([]);
});
