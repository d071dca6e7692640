import { TurnRequest } from '@chat-kernel/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { comparable, foldItems } from '../../../test/harness/items.ts';
import { ModelError, type TurnRecord } from '../src/index.ts';
import { allOf, type Core, calls, finish, openCore, says, tool, until } from './core.ts';

const TOOLS = [
  tool('nap', async (_, context) => ({ output: await context.sleep(null, null) })),
  tool('long', async () => ({ output: 'word '.repeat(20_000) })),
];

let core: Core;
let chat: string;
beforeEach(async () => {
  core = await openCore({ tools: TOOLS });
  chat = (await core.kernel.chats.create({})).id;
});
afterEach(() => core.close());

const start = () => core.kernel.turns.start(chat, TurnRequest.parse({ text: 'Go.' }));
const record = async (id: string) => (await core.store.turns.get(chat, id)) as TurnRecord;
const asleep = (id: string) => until(async () => (await record(id)).status === 'sleeping');

describe('[SLP-3] a sleeping turn', () => {
  it('is stored before its sleep is published', async () => {
    const written = Promise.withResolvers<void>();
    core.before.writeTurn = async write => {
      if ((write as { turn: TurnRecord }).turn.status === 'sleeping') await written.promise;
    };
    core.scripts.push(calls('nap'));
    const { feed } = await start();
    await until(async () => (await core.kernel.sleep.state()).waiting.length === 1);
    for (let tick = 0; tick < 20; tick++) await new Promise(resolve => setImmediate(resolve));
    expect(feed.log.frames.map(({ type }) => type)).not.toContain('sleeping');
    written.resolve();
    await until(() => feed.log.frames.some(({ type }) => type === 'sleeping'));
    await core.kernel.sleep.wake();
    await allOf(feed);
  });

  it('continues awake if its sleep cannot be stored, and the store never shows it as sleeping', async () => {
    core.before.writeTurn = write => {
      if ((write as { turn: TurnRecord }).turn.status === 'sleeping') throw new Error('the disk is full');
    };
    let stored: TurnRecord | undefined;
    core.scripts.push(calls('nap'), async function* () {
      stored = await record(turn_id);
      yield* says('Well.')();
    });
    const { feed, turn_id } = await start();
    const events = await allOf(feed);
    expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
    expect(events.map(({ type }) => type)).not.toContain('sleeping');
    expect(foldItems(events)).toMatchObject([
      { kind: 'tool_call', is_error: true, output: expect.stringContaining('the disk is full') },
      { kind: 'agent_message', text: 'Well.' },
    ]);
    expect(stored).toMatchObject({ status: 'running', sleep: null });
    expect((await core.kernel.sleep.state()).waiting).toEqual([]);
  });

  it('compacts a history that is too long when it wakes, and stream and history agree', async () => {
    core.scripts.push(calls('long'), calls('nap'), async function* () {
      yield* [];
      throw new ModelError('context_overflow', 'too long', false);
    });
    core.scripts.push(says('Here.'));
    const { feed, turn_id } = await start();
    await asleep(turn_id);
    await core.kernel.sleep.wake();
    const events = await allOf(feed);
    expect(events.at(-1)).toMatchObject({ status: 'completed' });
    expect(events.map(({ type }) => type)).toContain('turn_squeezed');
    const items = foldItems(events);
    expect(items.map(({ kind }) => kind)).toEqual([
      'tool_call',
      'tool_call',
      'machine_note',
      'agent_message',
    ]);
    const { items: stored } = await core.kernel.history.items(chat, { limit: 50 });
    expect(comparable(stored)).toEqual(comparable(items));
  });

  it('is not woken by a shutdown, and keeps its spend', async () => {
    core.scripts.push(calls('nap'));
    const { feed, turn_id } = await start();
    await asleep(turn_id);
    await core.kernel.shutdown(10);
    expect(feed.closed).toBe(true);
    expect(feed.log.frames.map(({ type }) => type)).not.toContain('done');
    expect(feed.log.frames.map(({ type }) => type)).not.toContain('tool_result');
    expect(await record(turn_id)).toMatchObject({
      status: 'sleeping',
      ended_at: null,
      sleep: { until: null, call_id: 'call_0' },
      usage: { prompt_tokens: 10, completion_tokens: 5 },
    });
    expect(core.logged).toEqual([]);
  });

  it('stays asleep at the end of the grace period if it falls asleep while the kernel stops', async () => {
    const gate = Promise.withResolvers<void>();
    core.scripts.push(async function* () {
      yield { type: 'text', text: 'Well.' };
      await gate.promise;
      yield { type: 'call', id: 'call_0', name: 'nap', input: {} };
      yield finish('tools');
    });
    const { feed, turn_id } = await start();
    await until(() => feed.log.frames.length > 0);
    const stopped = core.kernel.shutdown(10);
    gate.resolve();
    await asleep(turn_id);
    core.clock.advance(10_000);
    await stopped;
    expect((await record(turn_id)).status).toBe('sleeping');
  });
});
