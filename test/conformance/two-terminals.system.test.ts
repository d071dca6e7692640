/**
 * Tests several terminals on one chat, dropped connections and cancels: the right terminal executes each operation
 * once.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Approve } from '@chat-kernel/client';
import type { JsonObject } from '@chat-kernel/protocol';
import { beforeEach, expect, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { HandsClient } from '../harness/hands.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';
import { Terminal } from '../harness/terminal.ts';

const kernel = sharedKernel();

/** The directory that the terminals share, new for each test. */
let workdir: string;
beforeEach(() => {
  workdir = directoryOfTest();
});

const on = (name: string) => join(workdir, name);
const terminal = (client_id: string, approve: Approve = () => 'allow') =>
  new Terminal(kernel.client, { directory: workdir, client_id, approve });
const newChat = async () => (await kernel.client.createChat({ workdir })).id;

const outcome = async (chat: string, turn: string) => await kernel.client.getTurn(chat, turn);

async function until(so: () => unknown): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await so()); ) {
    if (Date.now() > deadline) throw new Error(`it never came to be: ${so}`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}

/** A zombie process counts as exited. */
function runs(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Reports that it has begun, and then waits for the test. */
const WAITING = 'echo $$ > pid.tmp; mv pid.tmp pid; echo x >> runs; until [ -e go ]; do sleep 0.02; done';
const begun = () => until(() => existsSync(on('pid')));

test('[EV-15] runs each operation on one terminal, the one that started the turn', async () => {
  const { client, upstream } = kernel;
  const chat = await newChat();
  const [a, b] = [terminal('a'), terminal('b')];
  const watching = await Promise.all([a.watch(chat), b.watch(chat)]);
  // Eight concurrent calls with several operations each; twice, started by either terminal.
  const call = (name: string, input: JsonObject) => ({ call: { name, input } });
  const appends = (from: number) =>
    [0, 1, 2, 3].map(n => call('shell', { commands: [`echo ${from + n} >> log`, 'true'] }));
  const writes = [0, 1, 2, 3].map(n => call('write_file', { path: `f${n}`, content: 'x' }));
  for (const [from, hands] of [
    [0, a],
    [10, b],
  ] as const) {
    upstream.next({ steps: [...appends(from), ...writes] }, says('Done.'));
    const stream = await client.begin(chat, {
      text: 'Go.',
      client_ops: true,
      client_id: hands === a ? 'a' : 'b',
    });
    const events = await stream.all();
    const ops = eventsOf(events, 'client_op');
    expect(ops).toHaveLength(12);
    expect(new Set(ops.map(({ client_id }) => client_id))).toEqual(new Set([hands === a ? 'a' : 'b']));
    expect(eventsOf(events, 'request_resolved').filter(({ reason }) => reason === 'answered')).toHaveLength(
      12,
    );
  }
  for (const stream of watching) await stream.until(() => eventsOf(stream.events, 'done').length === 2);
  for (const stream of watching) stream.hangUp();
  for (const hands of [a, b]) await hands.idle();
  expect([a.done.length, b.done.length]).toEqual([12, 12]);
  expect([...a.done, ...b.done].filter(({ state }) => state !== 'answered')).toEqual([]);
  const ids = [...a.done, ...b.done].map(({ op_id }) => op_id);
  expect(new Set(ids).size).toBe(24);
  const log = readFileSync(on('log'), 'utf8').trim().split('\n').map(Number);
  expect(log.toSorted((x, y) => x - y)).toEqual([0, 1, 2, 3, 10, 11, 12, 13]);
});

test('[EV-15] shows a running operation to a terminal that connects, without running it', async () => {
  const { upstream } = kernel;
  const chat = await newChat();
  upstream.next(calls('c', 'shell', { commands: [WAITING] }), says('Done.'));
  const a = terminal('a');
  const stream = await a.begin(chat, { text: 'Go.' });
  await begun();
  const { id } = await stream.until('client_op');
  // Also a second window of the same terminal, and one without a name.
  const others = [terminal('b'), terminal('a')];
  const nameless = new HandsClient(kernel.api, { directory: workdir });
  const following = await nameless.watch(chat);
  const watching = [...(await Promise.all(others.map(hands => hands.watch(chat)))), following.stream];
  for (const watched of watching) {
    expect(await watched.until('client_op')).toMatchObject({ id, replayed: true });
    expect(eventsOf(watched.events, 'request_resolved')).toEqual([]);
  }
  writeFileSync(on('go'), '');
  await stream.all();
  await a.idle();
  for (const watched of watching) {
    await watched.until('done');
    watched.hangUp();
    expect(eventsOf(watched.events, 'request_resolved')).toEqual([
      { type: 'request_resolved', id, kind: 'op', reason: 'answered', decision: 'allow' },
    ]);
  }
  await following.over;
  expect([...others.flatMap(({ done }) => done), ...nameless.done]).toEqual([]);
  expect(a.done.map(({ state }) => state)).toEqual(['answered']);
  expect(readFileSync(on('runs'), 'utf8')).toBe('x\n');
});

test('[EV-15] [OP-9] accepts an answer without a stream, and continues the turn of a client that lost its own', async () => {
  const { api, client, upstream } = kernel;
  const chat = await newChat();
  upstream.next(calls('c', 'read_file', { files: [{ path: 'a' }] }), says('I see.'));
  const stream = await client.begin(chat, { text: 'Go.', client_ops: true, client_id: 'a' });
  const { id } = await stream.until('client_op');
  stream.hangUp();
  expect(await outcome(chat, stream.turnId)).toMatchObject({ status: 'running' });
  const { status } = await api.post(`/v1/chats/${chat}/ops/result`, { id, result: 'what I read' });
  expect(status).toBe(200);
  await until(async () => (await outcome(chat, stream.turnId)).status === 'completed');
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('what I read');
});

test('[EV-15] [EV-13] a cancel stops the operation of a terminal once, without an answer to it', async () => {
  const { api, client, upstream } = kernel;
  const chat = await newChat();
  upstream.next(calls('c', 'shell', { commands: [WAITING, 'touch next'] }));
  const [a, b] = [terminal('a'), terminal('b')];
  const watching = await b.watch(chat);
  const stream = await a.begin(chat, { text: 'Go.' });
  await begun();
  const pid = Number(readFileSync(on('pid'), 'utf8'));
  expect(runs(pid)).toBe(true);
  expect(await client.cancelTurn(chat)).toMatchObject({ cancelled: true });
  const events = await stream.all();
  await a.idle();
  await until(() => !runs(pid));
  const [op, ...more] = eventsOf(events, 'client_op');
  expect(more).toEqual([]);
  await watching.until('done');
  watching.hangUp();
  const resolution = { id: op?.id, kind: 'op', reason: 'cancelled' };
  for (const seen of [events, watching.events]) {
    expect(eventsOf(seen, 'request_resolved')).toEqual([{ type: 'request_resolved', ...resolution }]);
    expect(eventsOf(seen, 'tool_result')).toMatchObject([
      { output: '[cancelled] The turn ended before this call returned a result.', is_error: true },
    ]);
    expect(seen.at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
    expect(eventsOf(seen, 'item_completed').map(({ item }) => [item.kind, item.status])).toEqual(
      expect.arrayContaining([
        ['client_op', 'aborted'],
        ['tool_call', 'aborted'],
      ]),
    );
  }
  expect([a.done.map(({ state }) => state), b.done]).toEqual([['over'], []]);
  const late = await api.post(`/v1/chats/${chat}/ops/result`, { id: op?.id, result: '' });
  expect(late).toMatchObject({ status: 409, body: { code: 'already_resolved', resolution } });
  expect(existsSync(on('next'))).toBe(false);
});

test('[EV-13] closes an open dialog when the turn ends', async () => {
  const { client, upstream } = kernel;
  const chat = await newChat();
  upstream.next(calls('c', 'write_file', { path: 'a', content: 'x' }));
  const dialog = Promise.withResolvers<'allow'>();
  const a = terminal('a', () => dialog.promise);
  const stream = await a.begin(chat, { text: 'Go.' });
  await stream.until('client_op');
  await client.cancelTurn(chat);
  await stream.all();
  await a.idle();
  dialog.resolve('allow');
  expect([a.done, existsSync(on('a'))]).toEqual([[], false]);
});
