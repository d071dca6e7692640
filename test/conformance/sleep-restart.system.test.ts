/** Tests that a turn which sleeps when the process ends continues to sleep in the next process. */
import { readFileSync } from 'node:fs';
import type { Event } from '@chat-kernel/protocol';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { comparable, foldItems } from '../harness/items.ts';
import type { KeptEvents } from '../harness/kept-events.ts';
import { type KernelOptions, startKernel } from '../harness/kernel.ts';
import { startKernelProcess } from '../harness/process.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { statusOf } from '../harness/status.ts';
import { calls, eventsOf, says, shape, stuck, textOf, withoutItems } from '../harness/story.ts';
import { startUpstream, type Upstream } from '../upstream/server.ts';

const HOUR = 60 * 60 * 1000;
const SYNTHETIC = '[cancelled] The turn ended before this call returned a result.';
const WOKEN = { kind: 'machine_note', status: 'completed', note: 'woken' };

const requestsOf = ({ requests }: Upstream) => requests.filter(({ rejected }) => rejected === undefined);
const types = ({ events }: KeptEvents<Event>) => events.map(({ type }) => type);

describe('[SLP-4] through a restart', () => {
  let upstream: Upstream;
  let options: KernelOptions;
  let clock: ManualClock;
  beforeEach(async () => {
    upstream = await startUpstream();
    const directory = temporaryDirectory();
    clock = new ManualClock();
    // A stop that waits for the grace period of its turns takes ten minutes on any machine.
    options = { upstream, dataDir: directory.path, settings: { server: { shutdown_grace_secs: 600 } } };
    onTestFinished(async () => {
      await upstream.close();
      directory.remove();
    });
  });

  test('[SLP-4] keeps the kernel asleep, and runs the queued turns after the wake', async () => {
    const before = await startKernel(options);
    const slept = await before.client.sleep({ reason: 'night' });
    const chat = await before.client.createChat();
    const streams = [
      await before.api.turn(chat.id, { text: '1' }),
      await before.api.turn(chat.id, { text: '2' }),
    ];
    for (const stream of streams) await stream.until('sleeping');
    const started = Date.now();
    await before.stop();
    expect(Date.now() - started).toBeLessThan(120_000);
    for (const stream of streams) await stream.closed();
    expect(streams.map(types)).toEqual([['sleeping'], ['sleeping', 'queued']]);

    const kernel = await kernelOf(options);
    const { api, client } = kernel;
    const waiting = streams.map(({ turnId }) => ({ chat_id: chat.id, turn_id: turnId }));
    expect(await client.getSleep()).toEqual({ ...slept, waiting });
    expect(await statusOf(kernel, chat, waiting[0]!.turn_id)).toEqual(['sleeping', 'sleeping']);
    const watching = await api.live(chat.id, '', { 'last-event-id': streams[0]?.lastId as string });
    expect(await watching.until('sleeping')).toMatchObject({ since: slept.since, reason: 'night' });
    upstream.next(says('one'), says('two'));
    const following = await client.watch(chat.id, { follow: true });
    expect((await client.wake()).woken).toEqual(streams.map(({ turnId }) => turnId));
    expect(textOf(await watching.all())).toBe('one');
    await following.until(event => event.type === 'done' && event.turn_id === streams[1]?.turnId);
    following.hangUp();
    const texts = (await client.items(chat.id)).map(item => 'text' in item && item.text);
    expect(texts).toEqual(['1', 'one', '2', 'two']);
  });

  test('[SLP-4] wakes a kernel whose time has passed while it was down, and runs its queue', async () => {
    const before = await startKernel({ ...options, clock });
    await before.client.sleep({ until: '2026-01-01T01:00:00Z' });
    const chat = await before.client.createChat();
    const stream = await before.api.turn(chat.id, { text: 'Hello.' });
    await stream.until('sleeping');
    await before.stop();
    clock.advance(2 * HOUR);
    const { client } = await kernelOf({ ...options, clock });
    expect(await client.getSleep()).toMatchObject({ asleep: false });
    await expect.poll(async () => (await client.items(chat.id)).length).toBe(2);
    expect(upstream.requests).toHaveLength(1);
  });

  test('[SLP-4] [ITEM-11] replays a turn that slept by its tool, keeps it asleep, and completes it after the wake', async () => {
    const before = await startKernel(options);
    const chat = await before.client.createChat();
    const count = { name: 'count', description: 'Counts.', input_schema: { type: 'object' } };
    upstream.next(calls('early', 'think_harder', {}), {
      steps: [
        { thinking: 'Hm.' },
        { text: 'I wait.' },
        { call: { id: 'cut', name: 'count', input: {} } },
        { call: { id: 'sleep', name: 'sleep', input: { reason: 'tea' } } },
        { call: { id: 'plan', name: 'plan', input: { tasks: [] } } },
      ],
    });
    const stream = await before.api.turn(chat.id, { text: 'Go.', extra_tools: [count] });
    await stream.until('sleeping');
    await stream.until(event => event.type === 'tool_result' && event.id === 'plan');
    await expect
      .poll(async () => (await before.client.getTurn(chat.id, stream.turnId)).effort)
      .toMatchObject({ raised: true });
    const behind = await before.api.turn(chat.id, { text: 'And?' });
    const started = Date.now();
    await before.stop();
    expect(Date.now() - started).toBeLessThan(120_000);
    await Promise.all([stream.closed(), behind.closed()]);
    expect(eventsOf(stream.events, 'done')).toEqual([]);
    expect(upstream.requests).toHaveLength(2);

    const kernel = await kernelOf(options);
    const { api, client } = kernel;
    expect(await statusOf(kernel, chat, stream.turnId)).toEqual(['sleeping', 'sleeping']);
    expect(await statusOf(kernel, chat, behind.turnId)).toEqual(['sleeping', 'queued']);
    expect((await client.listRequests()).requests).toEqual([]);
    const last = { 'last-event-id': stream.ids.at(-1) as string };
    const watching = await api.live(chat.id, '', last);
    expect(await watching.until('sleeping')).toEqual({
      ...eventsOf(stream.events, 'sleeping')[0],
      replayed: true,
    });
    expect(shape(withoutItems(watching.events)).at(-1)).toBe('sleeping');
    expect(textOf(watching.events)).toBe('I wait.');
    expect(eventsOf(watching.events, 'tool_call').map(({ id }) => id)).toEqual([
      'early',
      'cut',
      'sleep',
      'plan',
    ]);
    expect(new Set([...stream.ids, ...watching.ids]).size).toBe(stream.ids.length + watching.ids.length);
    const seen = watching.ids.at(-1) as string;

    upstream.next(says('Here.'), says('Yes.'));
    expect(await client.wake()).toEqual({ woken: [stream.turnId] });
    const events = await watching.all();
    expect(events.at(-1)).toMatchObject({ status: 'completed', turn_id: stream.turnId });
    const items = foldItems(events);
    expect(items.map(item => [item.kind, item.status, 'call_id' in item && item.call_id])).toEqual([
      ['tool_call', 'completed', 'early'],
      ['thinking', 'completed', false],
      ['agent_message', 'completed', false],
      ['tool_call', 'aborted', 'cut'],
      ['tool_call', 'completed', 'sleep'],
      ['tool_call', 'completed', 'plan'],
      ['machine_note', 'completed', false],
      ['agent_message', 'completed', false],
    ]);
    // A reader that was disconnected in this process resumes at its position, even after the end of the turn.
    const late = await api.live(chat.id, '', { 'last-event-id': seen });
    expect(await late.all()).toEqual(
      events.slice(watching.ids.indexOf(seen) + 1).map(event => ({ ...event, replayed: true })),
    );
    await expect.poll(async () => (await client.getChat(chat.id)).turn).toBeNull();
    const stored = await client.items(chat.id);
    expect(comparable(stored.filter(({ turn_id }) => turn_id === stream.turnId))).toEqual(comparable(items));
    expect(stored.at(-1)).toMatchObject({ text: 'Yes.', turn_id: behind.turnId });
    const body = await client.getTurn(chat.id, stream.turnId);
    // Usage and effort are those of the whole turn: three provider requests, and the raised level.
    expect(body.effort).toMatchObject({ value: 'high', raised: true });
    expect(body.usage).toEqual(eventsOf(events, 'done')[0]?.usage);
    expect(body.usage.prompt_tokens).toBeGreaterThan(eventsOf(events, 'usage')[0]!.prompt_tokens);
    expect(eventsOf(events, 'done')[0]?.message_ids).toHaveLength(6);
    expect(requestsOf(upstream)).toHaveLength(4);
  });

  test('[SLP-4] continues a turn once whose time has passed while the kernel was down', async () => {
    const before = await startKernel({ ...options, clock });
    const chat = await before.client.createChat();
    upstream.next(calls('s', 'sleep', { seconds: 60 }), says('Late.'));
    const stream = await before.api.turn(chat.id, { text: 'Go.' });
    await stream.until('sleeping');
    await before.stop();
    clock.advance(2 * HOUR);
    const { client } = await kernelOf({ ...options, clock });
    clock.advance(0);
    await expect.poll(async () => (await client.getChat(chat.id)).turn).toBeNull();
    clock.advance(2 * HOUR);
    expect(await client.items(chat.id)).toMatchObject([
      { kind: 'user_message' },
      {
        kind: 'tool_call',
        output: 'Slept from 2026-01-01T00:00:00.000Z to 2026-01-01T02:00:00.000Z.',
        is_error: false,
      },
      WOKEN,
      { kind: 'agent_message', text: 'Late.' },
    ]);
    expect(upstream.requests).toHaveLength(2);
  });

  test('[SLP-3] [SLP-4] continues a turn that had begun at its time in a sleeping kernel', async () => {
    const before = await startKernel({ ...options, clock });
    const chat = await before.client.createChat();
    upstream.next(calls('s', 'sleep', { seconds: 60 }), says('On.'));
    const stream = await before.api.turn(chat.id, { text: 'Go.' });
    await stream.until('sleeping');
    await before.client.sleep();
    await before.stop();
    const { client } = await kernelOf({ ...options, clock });
    const watching = await client.watch(chat.id);
    await watching.until('sleeping');
    clock.advance(60_000);
    expect(textOf(await watching.all())).toBe('On.');
    expect(eventsOf(watching.events, 'sleeping')).toHaveLength(1);
    expect(await client.getSleep()).toMatchObject({ asleep: true, waiting: [] });
  });

  test('[SLP-4] cancels a turn like any other after two restarts', async () => {
    const chat = await (async () => {
      const before = await startKernel({ ...options, clock });
      const made = await before.client.createChat();
      upstream.next(calls('s', 'sleep', {}));
      await (await before.api.turn(made.id, { text: 'Go.' })).until('sleeping');
      await before.stop();
      clock.advance(1000);
      await (await startKernel({ ...options, clock })).stop();
      clock.advance(1000);
      return made;
    })();
    const { client } = await kernelOf({ ...options, clock });
    const watching = await client.watch(chat.id);
    expect(await watching.until('sleeping')).toMatchObject({ since: '2026-01-01T00:00:00.000Z' });
    expect(await client.cancelTurn(chat.id)).toMatchObject({ cancelled: true });
    const events = await watching.all();
    expect(events.at(-1)).toMatchObject({ status: 'cancelled' });
    expect(comparable(foldItems(events))).toEqual(comparable(await client.items(chat.id)));
    expect(textOf(await client.say(chat.id, 'And now?'))).toBe('ok');
    expect(requestsOf(upstream)).toHaveLength(upstream.requests.length);
  });

  test('[SLP-4] keeps its state over a kill', async () => {
    let kernel = await startKernelProcess(options);
    const [asleep, arrived] = [await kernel.client.createChat(), await kernel.client.createChat()];
    upstream.next(calls('s', 'sleep', { reason: 'tea' }));
    const slept = await kernel.client.begin(asleep.id, { text: 'Go.' });
    await slept.until('sleeping');
    const state = await kernel.client.sleep({ reason: 'night' });
    const waits = await kernel.client.begin(arrived.id, { text: 'Hello.' });
    expect(await kernel.kill()).toMatchObject({ signal: 'SIGKILL' });

    kernel = await startKernelProcess(options);
    onTestFinished(async () => void (await kernel.kill()));
    const { client } = kernel;
    expect(await client.getSleep()).toEqual({
      ...state,
      waiting: [
        { chat_id: asleep.id, turn_id: slept.turnId },
        { chat_id: arrived.id, turn_id: waits.turnId },
      ],
    });
    upstream.next(says('ok'), says('ok'));
    const watching = [await client.watch(asleep.id), await client.watch(arrived.id)];
    expect((await client.wake()).woken).toEqual([slept.turnId, waits.turnId]);
    for (const stream of watching) {
      const events = await stream.all();
      expect(events.at(-1)).toMatchObject({ status: 'completed' });
      expect(events[0]).toMatchObject({ replayed: true });
    }
    expect((await client.items(asleep.id)).map(({ kind }) => kind)).toEqual([
      'user_message',
      'tool_call',
      'machine_note',
      'agent_message',
    ]);
    expect(requestsOf(upstream)).toHaveLength(3);
    // SIGTERM does not wait for a sleeping turn.
    upstream.next(calls('s', 'sleep', {}));
    const again = await client.begin(asleep.id, { text: 'Again.' });
    await again.until('sleeping');
    const started = Date.now();
    expect(await kernel.stop()).toEqual({ code: 0, signal: null });
    expect(Date.now() - started).toBeLessThan(120_000);
  });

  test('[SLP-4] stops commands that run during the sleep with the process', async () => {
    const directory = temporaryDirectory();
    const upstream = await startUpstream();
    const options = { upstream, dataDir: directory.path };
    const before = await startKernel(options);
    const chat = await before.client.createChat({ workdir: '/tmp', workdir_on: 'server' });
    upstream.next({
      steps: [
        { call: { id: 'run', name: 'shell', input: { commands: ['echo $$; exec sleep 300'] } } },
        { call: { id: 'sleep', name: 'sleep', input: {} } },
      ],
    });
    const stream = await before.api.turn(chat.id, { text: 'Go.' });
    await stream.until('sleeping');
    const progress = await stream.until('tool_progress');
    const pid = Number(/^\d+$/m.exec(progress.output)?.[0]);
    expect(runs(pid)).toBe(true);
    await before.stop();
    await expect.poll(() => runs(pid), { timeout: 30_000 }).toBe(false);
    const { client } = await kernelOf(options);
    await client.wake();
    await expect.poll(async () => (await client.getChat(chat.id)).turn).toBeNull();
    expect(await client.items(chat.id)).toMatchObject([
      { kind: 'user_message' },
      { call_id: 'run', status: 'aborted', output: SYNTHETIC },
      { call_id: 'sleep', status: 'completed' },
      WOKEN,
      { kind: 'agent_message', text: 'ok' },
    ]);
    await upstream.close();
    directory.remove();
  });

  test('[SLP-4] [TURN-11] closes a turn that runs when the process ends, also if it slept before', async () => {
    const directory = temporaryDirectory();
    const upstream = await startUpstream();
    const options = { upstream, dataDir: directory.path, settings: { server: { shutdown_grace_secs: 0.1 } } };
    const before = await startKernel(options);
    const chat = await before.client.createChat();
    upstream.next(calls('s', 'sleep', { seconds: 0.01 }), stuck({ text: 'Half' }));
    const stream = await before.api.turn(chat.id, { text: 'Go.' });
    await stream.until('text_delta');
    await before.stop();
    expect((await stream.all()).at(-1)).toMatchObject({ status: 'failed', stop_reason: 'kernel_restarted' });
    const { client } = await kernelOf(options);
    expect((await client.getChat(chat.id)).turn).toBeNull();
    expect((await client.items(chat.id)).at(-1)).toMatchObject({ note: 'kernel_restarted' });
    await upstream.close();
    directory.remove();
  });
});

/** Distinguishes a running process from a zombie that its parent has not collected. */
function runs(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
