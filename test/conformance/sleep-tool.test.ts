/** Tests that a turn sleeps by calling its tool, and continues when its time has come or a client wakes it. */
import type { Chat, Event } from '@chat-kernel/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { comparable, foldItems } from '../harness/items.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { statusOf } from '../harness/status.ts';
import { calls, eventsOf, held, says, shape, textOf, withoutItems } from '../harness/story.ts';
import type { Upstream } from '../upstream/server.ts';

const HOUR = 60 * 60 * 1000;
const SYNTHETIC = '[cancelled] The turn ended before this call returned a result.';
const WOKEN = { kind: 'machine_note', status: 'completed', note: 'woken' };
const AWAKE = { asleep: false, since: null, until: null, reason: null, waiting: [] };

const requestsOf = ({ requests }: Upstream) => requests.filter(({ rejected }) => rejected === undefined);

describe('a turn that sleeps by its tool', () => {
  let kernel: TestKernel;
  let clock: ManualClock;
  let chat: Chat;
  beforeAll(async () => {
    clock = new ManualClock();
    kernel = await startKernel({ clock });
  });
  afterAll(() => kernel.stop());
  beforeEach(async () => {
    chat = await kernel.client.createChat();
  });

  /** The text of the result says how long it slept. */
  const resultOf = (events: readonly Event[], id: string) =>
    eventsOf(events, 'tool_result').find(event => event.id === id);

  test.each([
    ['seconds', { seconds: 90, reason: 'tea' }, 90_000],
    ['until', () => ({ until: new Date(clock.now() + HOUR).toISOString() }), HOUR],
    ['until with a time zone', () => ({ until: offset(clock.now() + HOUR) }), HOUR],
    ['neither', {}, null],
  ])('[BT-9] by %s: sleeps during the turn, reports the sleep to the model, and continues', async (_, given, ms) => {
    const { client, upstream } = kernel;
    const input = typeof given === 'function' ? given() : given;
    const since = new Date(clock.now()).toISOString();
    const until = ms === null ? null : new Date(clock.now() + ms).toISOString();
    const reason = 'reason' in input ? input.reason : null;
    upstream.next({ steps: [{ text: 'Wait.' }, { call: { id: 's', name: 'sleep', input } }] }, says('Here.'));
    const asked = upstream.requests.length;
    const stream = await client.begin(chat.id, { text: 'Later.' });
    expect(await stream.until('sleeping')).toEqual({ type: 'sleeping', since, until, reason });
    expect(await statusOf(kernel, chat, stream.turnId)).toEqual(['sleeping', 'sleeping']);
    expect(await client.getSleep()).toEqual({
      ...AWAKE,
      waiting: [{ chat_id: chat.id, turn_id: stream.turnId }],
    });
    // Other chats are awake.
    const other = await client.createChat();
    expect(textOf(await client.say(other.id, 'Hi.'))).toBe('Here.');
    upstream.next(says('Here.'));
    if (ms === null) {
      clock.advance(1000);
      expect(await client.wake()).toEqual({ woken: [stream.turnId] });
    } else {
      clock.advance(ms - 1);
      expect(await statusOf(kernel, chat, stream.turnId)).toEqual(['sleeping', 'sleeping']);
      clock.advance(1);
    }
    const events = await stream.all();
    expect(shape(withoutItems(events))).toEqual([
      'text_delta',
      'tool_call',
      'usage',
      'sleeping',
      'tool_result',
      'text_delta',
      'usage',
      'done',
    ]);
    const end = new Date(clock.now()).toISOString();
    expect(resultOf(events, 's')).toEqual({
      type: 'tool_result',
      id: 's',
      name: 'sleep',
      output: `Slept from ${since} to ${end}.`,
      is_error: false,
    });
    const items = foldItems(events);
    expect(items).toMatchObject([
      { kind: 'agent_message', text: 'Wait.' },
      { kind: 'tool_call', call_id: 's', status: 'completed', is_error: false },
      WOKEN,
      { kind: 'agent_message', text: 'Here.' },
    ]);
    expect(comparable(await client.items(chat.id))).toEqual(comparable(items));
    expect(upstream.requests).toHaveLength(asked + 3);
    expect(requestsOf(upstream)).toHaveLength(upstream.requests.length);
    // The model gets the result without the note.
    const told = JSON.stringify(upstream.requests.at(-1)?.body.messages);
    expect(told).toContain('Slept from');
    expect(told).not.toContain('[woken]');
  });

  test('[BT-9] returns an error to the model for invalid input, without sleep', async () => {
    const { client, upstream } = kernel;
    const later = new Date(clock.now() + HOUR).toISOString();
    const wrong = [
      { until: '2020-01-01T00:00:00Z' },
      { until: later, seconds: 5 },
      { seconds: -1 },
      { until: 'noon' },
    ];
    upstream.next(
      { steps: wrong.map((input, n) => ({ call: { id: `wrong_${n}`, name: 'sleep', input } })) },
      says('Well.'),
    );
    const events = await client.say(chat.id, 'Go.');
    expect(eventsOf(events, 'tool_result').map(({ is_error }) => is_error)).toEqual([true, true, true, true]);
    expect(resultOf(events, 'wrong_0')?.output).toContain(new Date(clock.now()).toISOString());
    expect(eventsOf(events, 'sleeping')).toEqual([]);
    expect(foldItems(events)).not.toContainEqual(expect.objectContaining(WOKEN));
  });

  test('[BT-9] continues the other calls of the step, rejects a second sleep, and keeps its note out of sub-agents', async () => {
    const { api, client, upstream } = kernel;
    const tasks = [{ title: 'Look', status: 'pending' }];
    const agent = held({ text: 'Seen.' });
    upstream.next(
      {
        steps: [
          { call: { id: 'first', name: 'plan', input: { tasks } } },
          { call: { id: 'sleep', name: 'sleep', input: {} } },
          { call: { id: 'again', name: 'sleep', input: {} } },
          { call: { id: 'mine', name: 'count', input: {} } },
          { call: { id: 'agent', name: 'agent', input: { agents: [{ name: 'a', task: 'Look.' }] } } },
        ],
      },
      calls('agent_call', 'read_file', { files: [{ path: '/etc/hostname' }] }),
      agent.reply,
      // A step without sleep has no note.
      calls('later', 'plan', { tasks: [] }),
      says('Done.'),
    );
    const count = { name: 'count', description: 'Counts.', input_schema: { type: 'object' } };
    const stream = await client.begin(chat.id, { text: 'Go.', extra_tools: [count] });
    await stream.until('sleeping');
    await stream.until('extra_tool_call');
    expect((await api.post(`/v1/chats/${chat.id}/ops/result`, { id: 'mine', result: '3' })).status).toBe(200);
    await stream.until(event => event.type === 'tool_result' && event.id === 'mine');
    await stream.until(event => event.type === 'tool_result' && event.id === 'again');
    expect(resultOf(stream.events, 'again')).toMatchObject({ is_error: true });
    expect(resultOf(stream.events, 'sleep')).toBeUndefined();
    // Woken while the sub-agent is still working.
    await client.wake();
    await stream.until(event => event.type === 'tool_result' && event.id === 'sleep');
    agent.go();
    const events = await stream.all();
    expect(events.at(-1)).toMatchObject({ status: 'completed' });
    expect(eventsOf(events, 'sleeping')).toHaveLength(1);
    expect(
      eventsOf(events, 'tool_result')
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['first', 'sleep', 'again', 'mine', 'agent', 'later'].sort());
    const items = foldItems(events);
    expect(items.filter(item => item.kind === 'machine_note')).toMatchObject([WOKEN]);
    expect(comparable(await client.items(chat.id))).toEqual(comparable(items));
    expect(requestsOf(upstream)).toHaveLength(upstream.requests.length);
  });

  test('[SLP-3] [TURN-10] ends at once on a cancel, and the next turn runs', async () => {
    const { client, upstream } = kernel;
    upstream.next(calls('s', 'sleep', {}), says('Next.'));
    const stream = await client.begin(chat.id, { text: 'Go.' });
    await stream.until('sleeping');
    const behind = await client.begin(chat.id, { text: 'And?' });
    expect(await behind.until('queued')).toEqual({ type: 'queued', position: 1 });
    expect(await statusOf(kernel, chat, behind.turnId)).toEqual(['sleeping', 'queued']);
    expect(await client.cancelTurn(chat.id)).toEqual({
      cancelled: true,
      turn_id: stream.turnId,
    });
    const events = await stream.all();
    expect(resultOf(events, 's')).toMatchObject({ output: SYNTHETIC, is_error: true });
    expect(events.at(-1)).toMatchObject({ status: 'cancelled' });
    expect(textOf(await behind.all())).toBe('Next.');
    expect((await client.getSleep()).waiting).toEqual([]);
    // A late wake finds no sleeping turn.
    clock.advance(24 * HOUR);
    expect((await client.items(chat.id)).map(item => item.kind)).toEqual([
      'user_message',
      'tool_call',
      'machine_note',
      'user_message',
      'agent_message',
    ]);
  });

  test('[SLP-3] keeps a queued message waiting until its end, and is deleted with the chat and the message', async () => {
    const { api, client, upstream } = kernel;
    upstream.next(calls('s', 'sleep', { seconds: 60 }), says('one'), says('two'));
    const stream = await client.begin(chat.id, { text: '1' });
    await stream.until('sleeping');
    const behind = await client.begin(chat.id, { text: '2' });
    clock.advance(60_000);
    expect(textOf(await stream.all())).toBe('one');
    expect(textOf(await behind.all())).toBe('two');

    upstream.next(calls('t', 'sleep', {}));
    const again = await client.begin(chat.id, { text: '3' });
    await again.until('sleeping');
    const last = await client.begin(chat.id, { text: '4' });
    expect((await api.delete(`/v1/chats/${chat.id}?force=true`)).status).toBe(200);
    await Promise.all([again.closed(), last.closed()]);
    expect(await client.getSleep()).toEqual(AWAKE);
  });

  test('[BT-9] sleeps on while the kernel sleeps, and ends with the same wake', async () => {
    const { client, upstream } = kernel;
    upstream.next(calls('s', 'sleep', { seconds: 60 }), calls('t', 'sleep', {}), says('one'));
    const stream = await client.begin(chat.id, { text: '1' });
    await stream.until('sleeping');
    await client.sleep();
    const other = await client.createChat();
    const arrived = await client.begin(other.id, { text: '2' });
    // A running turn continues.
    clock.advance(60_000);
    await stream.until(() => eventsOf(stream.events, 'sleeping').length === 2);
    const { woken } = await client.wake();
    expect(woken.sort()).toEqual([stream.turnId, arrived.turnId].sort());
    expect((await stream.all()).at(-1)).toMatchObject({ status: 'completed' });
    await arrived.all();
  });

  test('[BT-9] is not offered to guests and sub-agents', async () => {
    const { client, upstream } = kernel;
    const offered = () =>
      upstream.requests
        .at(-1)
        ?.body.tools.map((tool: { function: { name: string } }) => tool.function.name) as string[];
    await client.say(chat.id, 'Hi.');
    expect(offered()).toContain('sleep');
    await client.say(chat.id, 'Hi.', { guest: true });
    expect(offered()).not.toContain('sleep');
    upstream.next(
      calls('a', 'agent', { agents: [{ name: 'a', task: 'Look.' }] }),
      says('Seen.'),
      says('Ok.'),
    );
    await client.say(chat.id, 'Go.');
    const [agent] = upstream.requests.slice(-2);
    expect(JSON.stringify(agent?.body.tools)).not.toContain('"sleep"');
  });
});

/** The time on a clock that is two hours ahead. */
const offset = (time: number): string => new Date(time + 2 * HOUR).toISOString().replace('Z', '+02:00');
