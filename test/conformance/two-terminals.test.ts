/** Several terminals on one chat, lost connections and cancels: what is asked for is done once, and by the right one. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@chat-kernel/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { HandsClient, type HandsOptions } from '../harness/hands.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel();
});
afterAll(() => kernel.stop());

/** The directory that the terminals share, new for each test. */
let workdir: string;
beforeEach(() => {
  workdir = directoryOfTest();
});

const on = (name: string) => join(workdir, name);
const terminal = (client_id: string, options: Partial<HandsOptions> = {}) =>
  new HandsClient(kernel.api, { directory: workdir, client_id, ...options });
const newChat = async () => (await kernel.api.newChat({ workdir })).id;

const outcome = async (chat: string, turn: string) =>
  (await kernel.api.get(`/v1/chats/${chat}/turns/${turn}`)).body;

async function until(so: () => unknown): Promise<void> {
  for (const deadline = Date.now() + 10_000; !(await so()); ) {
    if (Date.now() > deadline) throw new Error(`it never came to be: ${so}`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}

/** A process that only waits to be buried runs no more. */
function runs(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Says that it has begun, and then waits for the test. */
const WAITING = 'echo $$ > pid.tmp; mv pid.tmp pid; echo x >> runs; until [ -e go ]; do sleep 0.02; done';
const begun = () => until(() => existsSync(on('pid')));

test('[EV-15] each operation is done by one terminal, that which began the turn', async () => {
  const { api, upstream } = kernel;
  const chat = await newChat();
  const [a, b] = [terminal('a'), terminal('b')];
  const watching = await Promise.all([a.watch(chat), b.watch(chat)]);
  // Eight calls side by side, of several operations each; twice, begun by either.
  const call = (name: string, input: JsonObject) => ({ call: { name, input } });
  const appends = (from: number) =>
    [0, 1, 2, 3].map(n => call('shell', { commands: [`echo ${from + n} >> log`, 'true'] }));
  const writes = [0, 1, 2, 3].map(n => call('write_file', { path: `f${n}`, content: 'x' }));
  for (const [from, hands] of [
    [0, a],
    [10, b],
  ] as const) {
    upstream.next({ steps: [...appends(from), ...writes] }, says('Done.'));
    const stream = await api.turn(chat, {
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
  await Promise.all(
    watching.map(async following => {
      await following.stream.until(() => eventsOf(following.stream.events, 'done').length === 2);
      await following.leave();
    }),
  );
  expect([a.done.length, b.done.length]).toEqual([12, 12]);
  expect([...a.done, ...b.done].filter(({ status }) => status !== 200)).toEqual([]);
  const ids = [...a.done, ...b.done].map(({ op_id }) => op_id);
  expect(new Set(ids).size).toBe(24);
  const log = readFileSync(on('log'), 'utf8').trim().split('\n').map(Number);
  expect(log.toSorted((x, y) => x - y)).toEqual([0, 1, 2, 3, 10, 11, 12, 13]);
});

test('[EV-15] who comes in the middle of an operation sees it and leaves it alone', async () => {
  const { upstream } = kernel;
  const chat = await newChat();
  upstream.next(calls('c', 'shell', { commands: [WAITING] }), says('Done.'));
  const [a, b, nameless] = [
    terminal('a'),
    terminal('b'),
    new HandsClient(kernel.api, { directory: workdir }),
  ];
  const { stream, over } = await a.begin(chat, { text: 'Go.' });
  await begun();
  const { id } = await stream.until('client_op');
  // Also a second window of the same terminal, and one that knows no name.
  const others = [b, terminal('a'), nameless];
  const watching = await Promise.all(others.map(hands => hands.watch(chat)));
  for (const following of watching) {
    expect(await following.stream.until('client_op')).toMatchObject({ id, replayed: true });
    expect(eventsOf(following.stream.events, 'request_resolved')).toEqual([]);
  }
  writeFileSync(on('go'), '');
  await over;
  for (const following of watching) {
    await following.stream.until('done');
    const events = await following.leave();
    expect(eventsOf(events, 'request_resolved')).toEqual([
      { type: 'request_resolved', id, kind: 'op', reason: 'answered', decision: 'allow' },
    ]);
  }
  expect(others.flatMap(({ done }) => done)).toEqual([]);
  expect(a.done.map(({ status }) => status)).toEqual([200]);
  expect(readFileSync(on('runs'), 'utf8')).toBe('x\n');
});

test('[EV-15] a terminal that lost its stream and comes back does nothing twice', async () => {
  const { api, upstream } = kernel;
  const chat = await newChat();
  const next = { path: 'after', content: 'x' };
  upstream.next(calls('c', 'shell', { commands: [WAITING] }), calls('d', 'write_file', next), says('Done.'));
  const hands = terminal('a');
  const { stream } = await hands.begin(chat, { text: 'Go.' });
  await begun();
  await stream.until('client_op');
  stream.hangUp();
  // The command goes on meanwhile; only the stream is gone.
  const back = await hands.watch(chat);
  writeFileSync(on('go'), '');
  await back.stream.until('done');
  const events = await back.leave();
  expect(hands.done.map(({ action, status }) => [action, status])).toEqual([
    ['shell', 200],
    // What is asked after the return is new.
    ['write', 200],
  ]);
  expect(readFileSync(on('runs'), 'utf8')).toBe('x\n');
  expect(eventsOf(events, 'client_op').map(({ replayed = false }) => replayed)).toEqual([true, false]);
  expect(await outcome(chat, stream.turnId)).toMatchObject({ status: 'completed' });
  expect((await api.get('/v1/requests')).body.requests).toEqual([]);
});

test('[EV-15] [OP-9] an answer needs no stream: the turn goes on for a client that lost its own', async () => {
  const { api, upstream } = kernel;
  const chat = await newChat();
  upstream.next(calls('c', 'read_file', { files: [{ path: 'a' }] }), says('I see.'));
  const stream = await api.turn(chat, { text: 'Go.', client_ops: true, client_id: 'a' });
  const { id } = await stream.until('client_op');
  stream.hangUp();
  expect(await outcome(chat, stream.turnId)).toMatchObject({ status: 'running' });
  const { status } = await api.post(`/v1/chats/${chat}/ops/result`, { id, result: 'what I read' });
  expect(status).toBe(200);
  await until(async () => (await outcome(chat, stream.turnId)).status === 'completed');
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('what I read');
});

test('[EV-15] [EV-13] a cancel ends what a terminal does, once, and nobody answers it', async () => {
  const { api, upstream } = kernel;
  const chat = await newChat();
  upstream.next(calls('c', 'shell', { commands: [WAITING, 'touch next'] }));
  const [a, b] = [terminal('a'), terminal('b')];
  const watching = await b.watch(chat);
  const { stream, over } = await a.begin(chat, { text: 'Go.' });
  await begun();
  const pid = Number(readFileSync(on('pid'), 'utf8'));
  expect(runs(pid)).toBe(true);
  expect((await api.post(`/v1/chats/${chat}/cancel`)).body).toMatchObject({ cancelled: true });
  await over;
  await until(() => !runs(pid));
  const events = await stream.all();
  const [op, ...more] = eventsOf(events, 'client_op');
  expect(more).toEqual([]);
  await watching.stream.until('done');
  const resolution = { id: op?.id, kind: 'op', reason: 'cancelled' };
  for (const seen of [events, await watching.leave()]) {
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
  expect([a.done.map(({ status }) => status), b.done]).toEqual([[undefined], []]);
  const late = await api.post(`/v1/chats/${chat}/ops/result`, { id: op?.id, result: '' });
  expect(late).toMatchObject({ status: 409, body: { code: 'already_resolved', resolution } });
  expect(existsSync(on('next'))).toBe(false);
});

test('[EV-13] a dialog that is open when the turn ends is closed by its ending', async () => {
  const { api, upstream } = kernel;
  const chat = await newChat();
  upstream.next(calls('c', 'write_file', { path: 'a', content: 'x' }));
  const dialog = Promise.withResolvers<'allow'>();
  const a = terminal('a', { decide: () => dialog.promise });
  const { stream, over } = await a.begin(chat, { text: 'Go.' });
  await stream.until('client_op');
  await api.post(`/v1/chats/${chat}/cancel`);
  await over;
  dialog.resolve('allow');
  expect([a.done, existsSync(on('a'))]).toEqual([[], false]);
});
