/** Tests turns of a real kernel over an unreliable network. */
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { startKernel, type TestKernel } from '../../../test/harness/kernel.ts';
import { sharedKernel } from '../../../test/harness/shared-kernel.ts';
import { calls, held, says } from '../../../test/harness/story.ts';
import { startUpstream } from '../../../test/upstream/server.ts';
import {
  KernelApiError,
  KernelClient,
  RetriesExhaustedError,
  type TurnEvent,
  type TurnStream,
} from '../src/index.ts';
import { type Cutter, startCutter } from './cutter.ts';

let wire: Cutter;
let client: KernelClient;
const kernel = sharedKernel();
beforeEach(async () => {
  wire = await startCutter(kernel.url);
  client = new KernelClient({ url: wire.url });
});
afterEach(() => wire.close());

/** A new connection after a few milliseconds instead of the second that the kernel sets. */
const SOON = { retryMs: 10 };
const PIECES = ['Hé', 'llo ', '🙂', ' wor', 'ld.'];
const slow = () => ({ steps: [{ text: PIECES, delay_ms: 5 }] });
const read = async (stream: TurnStream): Promise<TurnEvent[]> => Array.fromAsync(stream);
const textOf = (events: TurnEvent[]) =>
  events.map(event => (event.type === 'text_delta' ? event.text : '')).join('');
const sinceReset = (events: TurnEvent[]) =>
  events.slice(events.findLastIndex(({ type }) => type === 'reset') + 1);

it('[SVC-1] streams the events of a turn up to done', async () => {
  kernel.upstream.next(slow());
  const chat = await client.createChat({ title: 'Wire' });
  const stream = client.turn(chat.id, { text: 'Go.' });
  const { turn_id, message_id } = await stream.started;
  const events = await read(stream);
  expect(textOf(events)).toBe(PIECES.join(''));
  expect(events.at(-1)).toMatchObject({ type: 'done', turn_id, status: 'completed' });
  expect(events.some(event => 'replayed' in event)).toBe(false);
  expect((await client.listMessages(chat.id)).messages[0]?.id).toBe(message_id);
  expect(await client.getTurn(chat.id, turn_id)).toMatchObject({ status: 'completed' });
});

it('[TURN-11] replays missed events after a dropped connection, marked as replayed, without duplicates', async () => {
  const gate = held({ text: ['two ', 'three'] });
  kernel.upstream.next({ steps: [{ text: 'one ' }, ...(gate.reply.steps ?? [])] });
  const chat = await client.createChat();
  const whole: TurnEvent[] = [];
  for await (const event of client.turn(chat.id, { text: 'Go.' }, SOON)) {
    whole.push(event);
    // turn, text_delta and item_started have arrived.
    if (whole.length === 3) {
      wire.cut();
      gate.go();
      // The next events arrive while the connection is down.
      await expect.poll(async () => (await kernel.api.get(`/v1/chats/${chat.id}`)).body.turn).toBeNull();
    }
  }
  expect(textOf(whole)).toBe('one two three');
  expect(whole.map(({ type }) => type)).not.toContain('reset');
  expect(whole.filter(({ type }) => type === 'done')).toHaveLength(1);
  const replayed = whole.map(event => 'replayed' in event);
  expect(replayed).toEqual(replayed.toSorted());
  expect(textOf(whole.filter((_, index) => replayed[index]))).toBe('two three');
  const requests = kernel.upstream.requests.length;
  expect((await client.listMessages(chat.id)).messages).toHaveLength(2);
  expect(kernel.upstream.requests.length).toBe(requests);
});

it('[TURN-11] [TURN-12] delivers a turn completely for cuts at many positions, and runs it once', async () => {
  for (let bytes = 1; bytes < 2600; bytes += 131) {
    kernel.upstream.next(calls('call_1', 'plan', { tasks: [] }), slow());
    const chat = await kernel.api.newChat();
    const before = kernel.upstream.requests.length;
    wire.cutAfter(bytes, bytes * 2);
    const events = sinceReset(await read(client.turn(chat.id, { text: 'Go.' }, SOON)));
    expect([bytes, textOf(events)]).toEqual([bytes, PIECES.join('')]);
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(1);
    expect(kernel.upstream.requests.length - before).toBe(2);
  }
});

it('[TURN-12] finds the same queued turn again after a cut, not the running one', async () => {
  const first = held({ text: 'one' });
  kernel.upstream.next(first.reply, says('two'));
  const chat = await client.createChat();
  const running = client.turn(chat.id, { text: '1' }, SOON);
  await running.started;
  const waiting = client.turn(chat.id, { text: '2' }, SOON);
  const { turn_id } = await waiting.started;
  const told = read(waiting);
  const { connections } = wire;
  wire.cut();
  await expect.poll(() => wire.connections, { timeout: 30_000 }).toBeGreaterThan(connections);
  first.go();
  const events = await told;
  expect(textOf(sinceReset(events))).toBe('two');
  expect(events.at(-1)).toMatchObject({ type: 'done', turn_id });
  expect((await running.result()).text).toBe('one');
});

it('[TURN-11] shows the end of a turn after its kernel stopped and restarted', async () => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const upstream = await startUpstream();
  onTestFinished(() => upstream.close());
  const settings = { server: { shutdown_grace_secs: 0 } };
  const old = await startKernel({ upstream, dataDir: directory.path, settings });
  wire.leadTo(old.url);
  upstream.next({ steps: [{ text: 'half' }, ...(held().reply.steps ?? [])] });
  const chat = await client.createChat();
  const events: TurnEvent[] = [];
  let next: TestKernel | undefined;
  for await (const event of client.turn(chat.id, { text: 'Go.' }, SOON)) {
    events.push(event);
    if (event.type !== 'text_delta' || next) continue;
    wire.refuse(true);
    wire.cut();
    await old.stop();
    next = await startKernel({ upstream, dataDir: directory.path, settings });
    onTestFinished(next.stop);
    wire.leadTo(next.url);
    wire.refuse(false);
  }
  const again = sinceReset(events);
  expect(again.length).toBeLessThan(events.length);
  expect(textOf(again)).toBe('half');
  expect(again.find(({ type }) => type === 'error')).toMatchObject({ code: 'kernel_restarted' });
  expect(again.at(-1)).toMatchObject({ type: 'done', status: 'failed' });
});

it('rejects with the error of a rejected message, and does not resend it', async () => {
  const chat = await client.createChat();
  const stream = client.turn(chat.id, { text: '' });
  await expect(stream.started).rejects.toThrow(KernelApiError);
  await expect(stream.result()).rejects.toMatchObject({ status: 400, code: 'empty_message' });
  expect(wire.connections).toBeLessThanOrEqual(2);
});

it('gives up if the kernel is unreachable for too long', async () => {
  const chat = await client.createChat();
  wire.cut();
  wire.refuse(true);
  const stream = client.turn(chat.id, { text: 'Go.' }, { patienceMs: 100 });
  await expect(stream.result()).rejects.toThrow(RetriesExhaustedError);
});

it('ends the stream on a signal, and the turn continues', async () => {
  const gate = held({ text: 'done.' });
  kernel.upstream.next(gate.reply);
  const chat = await client.createChat();
  const leaving = new AbortController();
  const stream = client.turn(chat.id, { text: 'Go.' }, { signal: leaving.signal });
  const { turn_id } = await stream.started;
  leaving.abort(new Error('enough'));
  await expect(read(stream)).rejects.toThrow('enough');
  gate.go();
  await expect.poll(async () => (await client.getTurn(chat.id, turn_id)).status).toBe('completed');
});

it('returns text and end in one object from result', async () => {
  kernel.upstream.next(says('Fine.'));
  const chat = await client.createChat();
  const result = await client.turn(chat.id, { text: 'Go.', mute: ['item_delta'] }).result();
  expect(result).toMatchObject({ status: 'completed', text: 'Fine.', stop_reason: 'stop' });
});
