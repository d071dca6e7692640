/** When clients can be asked: from when their turn has begun until it ends, and while somebody waits for the answer. */
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
/** The code of the error with which the call ends. */
const read = (gone?: AbortSignal): Promise<unknown> =>
  core.kernel.operations.readClientBytes(chat, BYTES, gone).catch(({ code }) => code);

/** A model that says nothing until it may. */
function silence(): () => void {
  const go = Promise.withResolvers<void>();
  core.scripts.push(async function* () {
    await go.promise;
    yield* says('Done.')();
  });
  return go.resolve;
}

describe('[OP-12] [OP-4] a client is asked', () => {
  it('in no turn that waits or has not begun, for who speaks in it is not known yet', async () => {
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

  it('for nobody who has gone', async () => {
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

  it('no more once the kernel stops: what is open ends with its turn', async () => {
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

  it('no more once its chat is deleted', async () => {
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
    expect(() => core.kernel.operations.answer(chat, answer)).toThrow(/ended already/);
    expect(core.kernel.operations.approvals().approvals).toEqual([]);
  });
});

it('[EV-13] what a call has left running can open no request after its turn', async () => {
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
